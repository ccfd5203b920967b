package urlid.spark;

import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/** Makes the expression of a call of a function. */
final class Builder extends AbstractFunction1<Seq<Expression>, Expression> {
    private final SqlFunction function;

    Builder(SqlFunction function) {
        this.function = function;
    }

    @Override
    public Expression apply(Seq<Expression> children) {
        return function.expression(children);
    }
}
