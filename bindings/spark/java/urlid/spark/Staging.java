package urlid.spark;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.util.SerializableConfiguration;

/**
 * The folder of a dataset while it is written. Each attempt of a task copies its files into a folder of its own inside; what the successful
 * ones copied is renamed, and the description comes last. Without it the folder is no dataset.
 */
final class Staging implements Serializable {
    private static final long serialVersionUID = 1;

    static final String DESCRIPTION = "_urlid.json";
    private static final String SUFFIX_LIST = "_public_suffix_list.dat.zst";

    /** Renames at a time: in object stores each is a copy. */
    private static final int RENAMES = 8;

    private final Path target;
    private final Path folder;
    private final SerializableConfiguration configuration;

    Staging(String target, Configuration configuration) throws IOException {
        Path path = new Path(target);
        this.target = path.getFileSystem(configuration).makeQualified(path);
        // Readers pass over names that begin with an underscore.
        this.folder = new Path(this.target, "_temporary-" + UUID.randomUUID());
        this.configuration = new SerializableConfiguration(configuration);
    }

    private FileSystem files() throws IOException {
        FileSystem files = target.getFileSystem(configuration.value());
        // Pages have checksums already; this one would write a file beside each.
        return files instanceof ChecksumFileSystem ? ((ChecksumFileSystem) files).getRawFileSystem() : files;
    }

    /** Makes the folder, which must not exist. */
    void claim() throws IOException {
        FileSystem files = files();
        if (files.exists(target)) {
            throw exists();
        }
        if (!files.mkdirs(folder)) {
            throw new IOException("cannot make the folder " + folder);
        }
        // Of two calls for one path, each makes its folder before it looks, so that one at least finds the other's.
        if (files.listStatus(target).length > 1) {
            files.delete(folder, true);
            try {
                files.delete(target, false);
            } catch (IOException error) {
                // The folder of the other call is in it.
            }
            throw exists();
        }
    }

    private IllegalArgumentException exists() {
        return new IllegalArgumentException("ERR_IO: dataset cannot be made: found " + target + " already");
    }

    /** Copies the files of a dataset, and returns the name of the folder that they are in. */
    String copy(java.nio.file.Path dataset, boolean withSuffixList, TaskContext task) throws IOException {
        FileSystem files = files();
        Path own = new Path(folder, task.partitionId() + "-" + task.taskAttemptId());
        boolean isComplete = false;
        try (Stream<java.nio.file.Path> entries = Files.list(dataset)) {
            for (java.nio.file.Path entry : (Iterable<java.nio.file.Path>) entries.sorted()::iterator) {
                String name = entry.getFileName().toString();
                if (name.startsWith("_") && !(withSuffixList && name.equals(SUFFIX_LIST))) {
                    continue;
                }
                // An attempt may outlive the call that it was for.
                if (task.isInterrupted() || !files.exists(folder)) {
                    throw new IOException("dataset is not written any more: " + target);
                }
                files.copyFromLocalFile(false, true, new Path(entry.toUri()), new Path(own, name));
            }
            isComplete = true;
        } finally {
            if (!isComplete) {
                files.delete(own, true);
            }
        }
        return own.getName();
    }

    /** Gives files their places by a join; the folders are those that attempts returned, the first with the suffix list. */
    void publish(JsonNode joined, List<String> folders) throws IOException {
        FileSystem files = files();
        List<Callable<Void>> renames = new ArrayList<>();
        renames.add(rename(files, new Path(folder, folders.get(0) + "/" + SUFFIX_LIST), new Path(target, SUFFIX_LIST)));
        for (JsonNode file : joined.get("files")) {
            Path from = new Path(folder, folders.get(file.get("dataset").asInt()) + "/" + file.get("old_name").asText());
            renames.add(rename(files, from, new Path(target, file.get("new_name").asText())));
        }
        allOf(renames);
        // Written under another name, so that it is never there in part.
        Path beside = new Path(target, "_" + folder.getName() + ".json");
        try (OutputStream output = files.create(beside, false)) {
            output.write(joined.get("description").asText().getBytes(StandardCharsets.UTF_8));
        }
        files.delete(folder, true);
        allOf(List.of(rename(files, beside, new Path(target, DESCRIPTION))));
    }

    private static Callable<Void> rename(FileSystem files, Path from, Path to) {
        return () -> {
            if (files.exists(to) || !files.rename(from, to)) {
                throw new IOException("cannot rename " + from + " to " + to);
            }
            return null;
        };
    }

    private static void allOf(List<Callable<Void>> renames) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(RENAMES, renames.size()));
        try {
            for (Future<Void> rename : threads.invokeAll(renames)) {
                rename.get();
            }
        } catch (ExecutionException error) {
            throw new IOException(error.getCause());
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", error);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Removes the folder with all that is in it. */
    void remove() throws IOException {
        files().delete(target, true);
    }
}
