package io.neli.spring.test;

import io.neli.test.FakeNeli;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.event.ApplicationEventsTestExecutionListener;

/**
 * Resets the fake to the state that {@link NeliTest} specifies: after each test method, so that work left running fails
 * the test that left it, and before each, because anything may have happened in between. This is outside of the test's
 * transaction and not among its recorded events.
 */
final class NeliTestExecutionListener implements TestExecutionListener, Ordered {

    @Override
    public int getOrder() {
        return ApplicationEventsTestExecutionListener.ORDER - 1;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        if (TestContextAnnotationUtils.hasAnnotation(test.getTestClass(), NeliTest.class)) {
            test.getApplicationContext().getBean(FakeNeli.class).reset();
        }
    }

    @Override
    public void afterTestMethod(TestContext test) {
        if (test.hasApplicationContext()) { // unless the test has closed it
            beforeTestMethod(test);
        }
    }
}
