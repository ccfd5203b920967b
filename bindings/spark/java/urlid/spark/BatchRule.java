package urlid.spark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import scala.Function1;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/**
 * Makes the identifiers of a projection in batches. Each call of a column becomes an attribute of a {@link BatchExec}
 * below. The results are the same. A call of anything but a column is not changed.
 */
final class BatchRule extends Rule<SparkPlan> {
    @Override
    public SparkPlan apply(SparkPlan plan) {
        return plan.transformUp(replacing(node -> node instanceof ProjectExec ? inBatches((ProjectExec) node) : node));
    }

    private static SparkPlan inBatches(ProjectExec project) {
        // By column, then by identifier.
        Map<Attribute, Map<Identifier, Found>> columns = new LinkedHashMap<>();
        AbstractPartialFunction<Expression, Expression> results = replacing(expression -> result(expression, columns));
        List<NamedExpression> replaced =
                CollectionConverters.asJava(project.projectList()).stream()
                        .map(expression -> (NamedExpression) ((Expression) expression).transformUp(results))
                        .toList();
        if (columns.isEmpty()) {
            return project;
        }
        SparkPlan child = project.child();
        for (Map<Identifier, Found> found : columns.values()) {
            Seq<Expression> calls = seq(found.values().stream().map(Found::call).toList());
            child = new BatchExec(calls, seq(found.values().stream().map(Found::result).toList()), child);
        }
        return new ProjectExec(seq(replaced), child);
    }

    /** A call and the attribute that has its result. */
    private record Found(Expression call, Attribute result) {}

    private static Expression result(Expression expression, Map<Attribute, Map<Identifier, Found>> columns) {
        Identifier identifier = BatchExec.identifier(expression);
        if (identifier == null) {
            return expression;
        }
        Attribute url = (Attribute) ((Attribute) expression.children().head()).canonicalized();
        return columns.computeIfAbsent(url, column -> new LinkedHashMap<>())
                .computeIfAbsent(identifier, kind -> new Found(expression, attribute(kind)))
                .result();
    }

    private static Attribute attribute(Identifier identifier) {
        return new AttributeReference(
                identifier.column, DataTypes.BinaryType, true, Metadata.empty(), NamedExpression.newExprId(), seq(List.<String>of()));
    }

    private static <T> Seq<T> seq(List<T> list) {
        return CollectionConverters.asScala(list).toSeq();
    }

    /** Returns a function in the form that Spark applies to each node of a tree. */
    private static <T> AbstractPartialFunction<T, T> replacing(Function1<T, T> function) {
        return new AbstractPartialFunction<>() {
            @Override
            public boolean isDefinedAt(T node) {
                return true;
            }

            @Override
            @SuppressWarnings("unchecked")
            public <A extends T, B> B applyOrElse(A node, Function1<A, B> otherwise) {
                return (B) function.apply(node);
            }
        };
    }
}
