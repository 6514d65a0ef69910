package io.neli.spring.test;

import io.neli.test.FakeNeli;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.bean.override.mockito.MockitoResetTestExecutionListener;
import org.springframework.test.context.event.ApplicationEventsTestExecutionListener;

/**
 * Resets the fake to the state that {@link NeliTest} specifies: after each test method, so that work left running fails
 * the test that left it, and before each, because anything may have happened in between. This is outside of the test's
 * transaction and not among its recorded events, nor among those that mocks record for the next test.
 */
final class NeliTestExecutionListener implements TestExecutionListener, Ordered {

    private final TestExecutionListener mocks = new MockitoResetTestExecutionListener();

    @Override
    public int getOrder() {
        return ApplicationEventsTestExecutionListener.ORDER - 1;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        if (concerns(test)) {
            reset(test);
        }
    }

    @Override
    public void afterTestMethod(TestContext test) throws Exception {
        if (concerns(test) && test.hasApplicationContext()) { // unless the test has closed it
            try {
                reset(test);
            } finally { // Spring has reset them already, but they record the events of this reset
                mocks.afterTestMethod(test);
            }
        }
    }

    private static boolean concerns(TestContext test) {
        return TestContextAnnotationUtils.hasAnnotation(test.getTestClass(), NeliTest.class);
    }

    private static void reset(TestContext test) {
        test.getApplicationContext().getBean(FakeNeli.class).reset();
    }
}
