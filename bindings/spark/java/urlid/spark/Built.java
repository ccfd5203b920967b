package urlid.spark;

/**
 * The counts of a dataset that was written.
 *
 * @param lines the rows of the frame
 * @param blank those whose URL is null or empty
 * @param refused those whose URL is not absolute, or not a URL
 * @param taken those whose URL is in the dataset
 * @param rows the rows of the dataset: different URLs
 * @param bytes the length of its Parquet files
 */
public record Built(long lines, long blank, long refused, long taken, long rows, long bytes) {}
