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
        List<Button> buttons = BUTTONS.stream()
                .map(actions -> Button.of(actions, broker.refusals()))
                .toList();
        return new BrokerCard(
                broker.name(),
                title,
                state,
                title + " " + state,
                broker.address(),
                lab.brokers().size() > 1 ? buttons : List.of(ofOnly(buttons.get(2))));
    }

    private static Button ofOnly(Button button) {
        return new Button(button.slot(), button.action(), button.label() + " broker", button.refusal());
    }
}
