import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.util.Progressable;
import org.apache.spark.TaskContext;

/** The local file system, with errors: in the first attempt of a task below a folder `once`, in every one below `always`, and of names below `names`. */
public final class BrokenFiles extends RawLocalFileSystem {
    static final String MESSAGE = "the disk is broken";

    @Override
    public URI getUri() {
        return URI.create("broken:///");
    }

    @Override
    public FSDataOutputStream create(
            Path file, boolean overwrite, int buffer, short replication, long block, Progressable progress)
            throws IOException {
        FSDataOutputStream output = super.create(file, overwrite, buffer, replication, block, progress);
        TaskContext task = TaskContext.get();
        boolean isBroken =
                task != null
                        && task.partitionId() == 1
                        && (file.toString().contains("/always/") || file.toString().contains("/once/") && task.attemptNumber() == 0);
        if (isBroken) {
            output.write(1);
            output.close();
            throw new IOException(MESSAGE);
        }
        return output;
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        if (to.toString().contains("/names/") && to.getName().equals("_urlid.json")) {
            throw new IOException(MESSAGE);
        }
        return super.rename(from, to);
    }
}
