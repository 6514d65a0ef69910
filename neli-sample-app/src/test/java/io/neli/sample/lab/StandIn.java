package io.neli.sample.lab;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import io.neli.harness.BrokerMain;

/**
 * A process that reports that it leads. It repeats each line of its input as the reason of a failed write. When its
 * input ends, it reports a handover and ends. With the argument {@code deaf} it only exists; with {@code up} it acts as
 * a broker.
 */
public final class StandIn {

    private StandIn() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("deaf")) {
            Thread.currentThread().join();
        }
        if (args.length > 0 && args[0].equals("up")) {
            print(BrokerMain.UP);
            Thread.currentThread().join();
        }
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> print("{'type':'event','event':'REVOKED','token':17,'reason':'CLOSING'}")));
        Thread reporter = new Thread(StandIn::report);
        reporter.setDaemon(true);
        reporter.start();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            print("{'type':'write','outcome':'FAILED','token':17,'number':1,'reason':'%s'}".formatted(line));
        }
        System.exit(3);
    }

    private static void report() {
        try {
            print("{'type':'run','ended':false,'token':17,'due':5000}");
            print("{'type':'run','ended':true,'token':17,'due':5000}");
            print("{'type':'waiting','token':17,'time':6000,'recorded':5000}");
            while (true) {
                print("{'type':'snapshot','problem':null,'eligible':true,'state':'LEADING','token':17,"
                        + "'leaseLeft':2400,'logs':[{'topic':'neli','readable':true,'held':true,'holder':'alice'}]}");
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void print(String line) {
        System.out.println(line.replace('\'', '"'));
    }
}
