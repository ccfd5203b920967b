package urlid.spark;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SparkPlan;
import scala.Tuple3;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Adds the functions to every session, and makes identifiers in batches: {@code --conf
 * spark.sql.extensions=urlid.spark.Extensions}.
 */
public final class Extensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        for (SqlFunction function : SqlFunction.all()) {
            extensions.injectFunction(
                    new Tuple3<>(new FunctionIdentifier(function.name()), info(function), new Builder(function)));
        }
        extensions.injectColumnar(
                session ->
                        new ColumnarRule() {
                            @Override
                            public Rule<SparkPlan> preColumnarTransitions() {
                                return new BatchRule();
                            }
                        });
        return BoxedUnit.UNIT;
    }

    /** Returns the text that DESCRIBE FUNCTION prints. */
    static ExpressionInfo info(SqlFunction function) {
        String none = "";
        return new ExpressionInfo(
                SqlFunction.class.getName(), null, function.name(), function.about(), none, none, none, none, none, none, "scala_udf");
    }
}
