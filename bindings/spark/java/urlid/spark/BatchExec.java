package urlid.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.ApplyFunctionExpression;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The rows of a child, followed by the results of calls: identifiers of one column, made in batches. Spark copies a
 * node of a plan by its public constructor, from the elements of the product.
 */
public final class BatchExec extends SparkPlan {
    private static final long serialVersionUID = 1;

    private final Seq<Expression> calls;
    private final Seq<Attribute> results;
    private final SparkPlan child;

    public BatchExec(Seq<Expression> calls, Seq<Attribute> results, SparkPlan child) {
        this.calls = calls;
        this.results = results;
        this.child = child;
    }

    /** Returns the identifier that an expression makes from a column, or null for any other expression. */
    static Identifier identifier(Expression expression) {
        return expression instanceof ApplyFunctionExpression
                        && ((ApplyFunctionExpression) expression).function() instanceof SqlFunction
                        && expression.children().head() instanceof Attribute
                ? Identifier.ofFunction(((ApplyFunctionExpression) expression).function().name())
                : null;
    }

    @Override
    public RDD<InternalRow> doExecute() {
        List<Identifier> identifiers = new ArrayList<>();
        CollectionConverters.asJava(calls).forEach(call -> identifiers.add(identifier(call)));
        Attribute url = (Attribute) calls.head().children().head();
        int column = child.output().indexWhere(attribute -> attribute.exprId().equals(url.exprId()));
        return child.execute()
                .toJavaRDD()
                .mapPartitions(partition -> new BatchIterator(partition, column, identifiers), true)
                .rdd();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Seq<Attribute> output() {
        return (Seq<Attribute>) child.output().appendedAll(results);
    }

    @Override
    @SuppressWarnings("unchecked")
    public AttributeSet producedAttributes() {
        return AttributeSet.apply((Seq<Expression>) (Seq<?>) results);
    }

    @Override
    public Partitioning outputPartitioning() {
        return child.outputPartitioning();
    }

    @Override
    public Seq<SortOrder> outputOrdering() {
        return child.outputOrdering();
    }

    @Override
    public Seq<SparkPlan> children() {
        return CollectionConverters.asScala(List.of(child)).toSeq();
    }

    @Override
    public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
        return new BatchExec(calls, results, children.head());
    }

    @Override
    public int productArity() {
        return 3;
    }

    @Override
    public Object productElement(int index) {
        return List.of(calls, results, child).get(index);
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof BatchExec;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BatchExec
                && calls.equals(((BatchExec) other).calls)
                && results.equals(((BatchExec) other).results)
                && child.equals(((BatchExec) other).child);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
