package io.neli.sample.lab.view;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.neli.sample.lab.history.HistoryView.Mark;
import io.neli.sample.lab.view.LabState.BrokerState;

/** All that the page shows. */
public record PageView(
        Headline headline,
        Broker broker,
        List<InstanceCard> instances,
        Timeline timeline,
        List<Line> events,
        Failovers failovers,
        Writes writes) {

    public static PageView of(LabState lab) {
        return new PageView(
                Headline.of(lab),
                Broker.of(lab),
                lab.instances().stream()
                        .map(instance -> InstanceCard.of(instance, lab))
                        .toList(),
                Timeline.of(lab),
                events(lab.history().marks()),
                Failovers.of(lab.history()),
                Writes.of(lab.history()));
    }

    /** The broker and its button, which is disabled while the broker starts or stops. */
    record Broker(
            String state, String icon, String text, String address, String action, String label, boolean enabled) {

        static Broker of(LabState lab) {
            String state = Texts.word(lab.broker());
            boolean stop = lab.broker() == BrokerState.UP || lab.broker() == BrokerState.STARTING;
            boolean enabled = lab.broker() == BrokerState.UP || lab.broker() == BrokerState.DOWN;
            return new Broker(
                    state,
                    state.equals("stopping") ? "draining" : state,
                    "Broker " + state,
                    lab.address(),
                    stop ? "stop" : "start",
                    stop ? "Stop broker" : "Start broker",
                    enabled);
        }
    }

    /** An event as text. */
    record Line(String time, String text) {}

    /** The newest first. */
    private static List<Line> events(List<Mark> marks) {
        List<Line> lines = new ArrayList<>();
        marks.forEach(mark -> lines.add(new Line(Texts.time(mark.at()), Texts.sentence(mark))));
        Collections.reverse(lines);
        return lines;
    }
}
