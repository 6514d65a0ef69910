package io.neli.sample.lab.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * A process that leads the ledger and writes it, by its own account. It says what it is told, and ends with its input; when it
 * ends it hands over. With the argument {@code deaf} it does nothing but to be there.
 */
public final class StandIn {

    private StandIn() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("deaf")) {
            Thread.currentThread().join();
        }
        Runtime.getRuntime().addShutdownHook(new Thread(StandIn::handOver));
        Thread writer = new Thread(StandIn::write);
        writer.setDaemon(true);
        writer.start();
        listen();
        System.exit(3);
    }

    private static void listen() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            System.out.println("{'type':'write','phase':'FAILED','token':17,'number':-1,'reason':'%s'}"
                    .formatted(line)
                    .replace('\'', '"'));
        }
    }

    private static void write() {
        for (int number = 1; ; number++) {
            print("{'type':'snapshot','status':'RUNNING','problem':null,'standing':true,'paused':false,'partitions':"
                    + "[{'partition':0,'roles':['ledger'],'state':'LEADING','leader':'alice','token':17,"
                    + "'leaseLeft':2400}]}");
            print("{'type':'write','phase':'BEGUN','token':17,'number':%d,'reason':null}".formatted(number));
            print("{'type':'write','phase':'COMMITTED','token':17,'number':%d,'reason':null}".formatted(number));
        }
    }

    private static void handOver() {
        print("{'type':'write','phase':'BEGUN','token':17,'number':-1,'reason':null}");
        print("{'type':'event','event':'REVOKED','role':'ledger','token':17,'reason':'CLOSING'}");
    }

    private static void print(String line) {
        System.out.println(line.replace('\'', '"'));
        try {
            TimeUnit.MILLISECONDS.sleep(300);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
