package io.neli.sample.broker;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;

/** An instance of the sample without an election: uses the broker until it is stopped or killed. */
final class InstanceMain {

    private InstanceMain() {}

    public static void main(String[] args) throws Exception {
        SpringApplication application = new SpringApplication(InstanceMain.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        String address = application.run(args).getEnvironment().getRequiredProperty("spring.kafka.bootstrap-servers");
        System.out.println("address " + address);
        Thread.currentThread().join();
    }
}
