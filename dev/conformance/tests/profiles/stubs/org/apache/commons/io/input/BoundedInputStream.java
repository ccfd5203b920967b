package org.apache.commons.io.input;

import java.io.FilterInputStream;
import java.io.InputStream;

/** Counts, in commons-io, the bytes that are read of the suffix list. The count goes into a log. */
public final class BoundedInputStream extends FilterInputStream {
    private BoundedInputStream(InputStream input) {
        super(input);
    }

    public static Builder builder() {
        return new Builder();
    }

    public long getCount() {
        return 0;
    }

    public static final class Builder {
        private InputStream input;

        public Builder setInputStream(InputStream input) {
            this.input = input;
            return this;
        }

        public BoundedInputStream get() {
            return new BoundedInputStream(input);
        }
    }
}
