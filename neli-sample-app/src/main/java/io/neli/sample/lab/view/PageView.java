package io.neli.sample.lab.view;

import java.util.List;

import io.neli.sample.lab.history.HistoryView.Mark;

public record PageView(
        String setting,
        Headline headline,
        List<BrokerCard> brokers,
        List<LogView> logs,
        List<InstanceCard> instances,
        Timeline timeline,
        Schedule schedule,
        List<Line> events,
        Failovers failovers,
        Writes writes) {

    public static PageView of(LabState lab) {
        return new PageView(
                setting(lab),
                Headline.of(lab),
                lab.brokers().stream().map(broker -> BrokerCard.of(broker, lab)).toList(),
                LogView.of(lab),
                lab.instances().stream()
                        .map(instance -> InstanceCard.of(instance, lab))
                        .toList(),
                Timeline.of(lab),
                Schedule.of(lab.history()),
                Texts.newestFirst(lab.history().marks(), PageView::line),
                Failovers.of(lab.history()),
                Writes.of(lab.history()));
    }

    private static String setting(LabState lab) {
        return "Three processes compete for leadership on "
                + (lab.brokers().size() == 1 ? "one real Kafka broker" : "three real Kafka brokers")
                + ". Break something, and see how long nobody leads.";
    }

    /** An event as text. */
    record Line(String time, String text) {}

    private static Line line(Mark mark) {
        return new Line(Texts.time(mark.at()), Texts.sentence(mark));
    }
}
