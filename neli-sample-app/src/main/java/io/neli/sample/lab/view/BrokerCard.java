package io.neli.sample.lab.view;

import java.util.List;

import io.neli.sample.lab.view.LabState.Broker;
import io.neli.sample.lab.view.LabState.ProcessState;

/**
 * What the page shows of a broker.
 *
 * @param text its name and state
 */
record BrokerCard(String name, String title, String state, String text, String address, List<Button> buttons) {

    /** The actions of each button. The broker of a single-broker lab has only the last button. */
    private static final List<List<String>> BUTTONS =
            List.of(List.of("kill"), List.of("freeze", "thaw"), List.of("stop", "start"));

    static BrokerCard of(Broker broker, LabState lab) {
        String state = broker.process() == ProcessState.RUNNING ? "up" : Texts.word(broker.process());
        String title = broker.name().replace("broker-", "Broker ").replace("broker", "Broker");
        boolean isOnly = lab.brokers().size() == 1;
        return new BrokerCard(
                broker.name(),
                title,
                state,
                title + " " + state,
                broker.address(),
                BUTTONS.stream()
                        .skip(isOnly ? 2 : 0)
                        .map(actions -> Button.of(actions, broker.refusals(), isOnly ? " broker" : ""))
                        .toList());
    }
}
