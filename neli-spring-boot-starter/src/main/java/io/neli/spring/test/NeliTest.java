package io.neli.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.neli.FakeNeli;

/**
 * Has a Spring test decide who leads: in its application context a {@link FakeNeli} takes the place of the election, under
 * whatever name and however often one is defined. Stands beside any annotation that makes the context
 * ({@code @SpringBootTest}, a slice such as {@code @WebMvcTest}, {@code @SpringJUnitConfig}); nothing connects to Kafka, and
 * no property is needed.
 *
 * <pre>{@code
 * @SpringBootTest
 * @NeliTest
 * class BillingTest {
 *
 *     @Autowired
 *     FakeNeli neli;
 *
 *     @Test
 *     void a_standby_does_not_settle() {
 *         neli.revoke();      // the listeners have returned, running work has ended
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>{@code @LeaderOnly} methods are gated and the leadership events published in slices too. {@code neli.enabled=false} is
 * not heeded; {@code neli.name}, {@code neli.roles}, {@code neli.partitions} and {@code neli.task.interrupt-on-fence} are.
 * Each test method begins in the state that the annotation asks for, whatever the one before it did, and what the reset
 * brings is not among the events that {@code @RecordApplicationEvents} shows. Nested test classes inherit the annotation, or
 * have their own.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface NeliTest {

    /** Whether each test method begins as leader of all roles, or as a standby. */
    boolean leader() default true;

    /**
     * The roles that are led, in place of {@code neli.roles} and {@code neli.partitions}: each lies on a partition of its own,
     * so that a test may lead one of them and not the other.
     */
    String[] roles() default {};
}
