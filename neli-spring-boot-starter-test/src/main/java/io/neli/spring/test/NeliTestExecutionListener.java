package io.neli.spring.test;

import io.neli.test.FakeNeli;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.event.ApplicationEventsTestExecutionListener;

/**
 * Resets the fake to what {@link NeliTest} asks for: after each test method, so that work which is left running there
 * fails the test that left it, and before each, whatever happened in between. Outside the test's transaction, and while
 * its events are not recorded.
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
