package io.neli.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.neli.test.FakeNeli;

/**
 * Lets a Spring test decide who leads: in its application context a {@link FakeNeli} replaces every election, under the
 * same bean names. Use it with any annotation that creates the context ({@code @SpringBootTest}, a slice such as {@code
 * @WebMvcTest}, {@code @SpringJUnitConfig}). The election needs neither Kafka nor a property; a {@code
 * LeaderKafkaTemplate} still needs its broker.
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
 *         neli.revoke();      // returns when running work has ended
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>{@code @LeaderOnly}, {@code @StartWhenLeading} and the leadership events work in slices too. {@code neli.name},
 * {@code neli.roles}, {@code neli.partitions} and {@code neli.work.interrupt-on-fence} apply; {@code
 * neli.enabled=false} is ignored. Each test method begins in the state that the annotation specifies; {@code
 * @RecordApplicationEvents} and the mocks do not show the events of this reset. Nested test classes inherit the
 * annotation, or have their own. The contexts of a {@code @ContextHierarchy} share one fake.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface NeliTest {

    /** Whether each test method begins as leader of all roles, or as a standby. */
    boolean leader() default true;

    /**
     * The roles of the election, instead of {@code neli.roles} and {@code neli.partitions}; each has its own partition.
     */
    String[] roles() default {};
}
