package urlid.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.ApplyFunctionExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Seq;

/**
 * A function of the table, in the form of Spark's data source interface. It receives texts unchanged from a row, in
 * UTF-8.
 */
final class SqlFunction implements ScalarFunction<Object> {
    private static final long serialVersionUID = 1;

    private final String name;
    private final String about;
    private final ValueType result;
    private final ValueType[] arguments;

    /** Each thread has a separate call. */
    private final transient ThreadLocal<Call> calls;

    private SqlFunction(String name, String about, ValueType result, ValueType[] arguments) {
        this.name = name;
        this.about = about;
        this.result = result;
        this.arguments = arguments;
        this.calls = ThreadLocal.withInitial(() -> new Call(name, arguments));
    }

    /** Returns the functions of the table. */
    static List<SqlFunction> all() {
        List<SqlFunction> functions = new ArrayList<>();
        String description;
        for (int number = 0; (description = Native.describe(number)) != null; number++) {
            String[] parts = description.split(" ");
            ValueType[] types =
                    Arrays.stream(parts).skip(1).map(type -> ValueType.of(Integer.parseInt(type))).toArray(ValueType[]::new);
            ValueType[] arguments = Arrays.copyOfRange(types, 1, types.length);
            functions.add(new SqlFunction(parts[0], Native.utf8(Native.about(number)), types[0], arguments));
        }
        return functions;
    }

    /**
     * Returns the expression of a query that calls this function. The expression has its own function, because the
     * state belongs to one expression.
     */
    Expression expression(Seq<Expression> children) {
        if (children.length() != arguments.length) {
            throw new IllegalArgumentException(
                    String.format(
                            "ERR_ARGUMENT: wrong number of arguments of %s: found %d, expected %d",
                            name, children.length(), arguments.length));
        }
        Expression call = new ApplyFunctionExpression((ScalarFunction<?>) readResolve(), children);
        // The name in the headers of results and in plans.
        call.setTagValue(FunctionRegistry.FUNC_ALIAS(), name);
        return call;
    }

    private Object readResolve() {
        return new SqlFunction(name, about, result, arguments);
    }

    String about() {
        return about;
    }

    @Override
    public Object produceResult(InternalRow row) {
        return calls.get().run(row);
    }

    @Override
    public DataType[] inputTypes() {
        return Arrays.stream(arguments).map(type -> type.spark).toArray(DataType[]::new);
    }

    @Override
    public DataType resultType() {
        return result.spark;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String canonicalName() {
        return "urlid.spark." + name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SqlFunction && ((SqlFunction) other).name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
