package io.neli.sample.broker;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;

/** An instance of the sample without an election: uses the broker until it is stopped or killed. */
final class InstanceMain {

    private InstanceMain() {}

    public static void main(String[] args) throws Exception {
        String address = startContext(args);
        if (!startContext(args).equals(address)) {
            throw new AssertionError("Another broker for the second context of the process");
        }
        System.out.println("address " + address);
        Thread.currentThread().join();
    }

    private static String startContext(String[] args) {
        SpringApplication application = new SpringApplication(InstanceMain.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        return application.run(args).getEnvironment().getRequiredProperty("spring.kafka.bootstrap-servers");
    }
}
