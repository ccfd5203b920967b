package org.apache.spark.sql;

/** A row, which `HostName` can be made. Only its name is needed. */
public interface Row {}
