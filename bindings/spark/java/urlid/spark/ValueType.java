package urlid.spark;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The types of values, by their numbers in urlid.h. */
enum ValueType {
    NULL(DataTypes.NullType),
    TEXT(DataTypes.StringType),
    BYTES(DataTypes.BinaryType),
    INTEGER(DataTypes.LongType),
    BOOLEAN(DataTypes.BooleanType);

    private static final ValueType[] ALL = values();

    final DataType spark;

    ValueType(DataType spark) {
        this.spark = spark;
    }

    static ValueType of(int number) {
        return ALL[number];
    }
}
