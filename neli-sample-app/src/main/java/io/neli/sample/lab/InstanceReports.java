package io.neli.sample.lab;

import io.neli.sample.lab.Report.Event;
import io.neli.sample.lab.Report.Write;
import io.neli.sample.lab.history.Lane;
import io.neli.sample.lab.history.LedgerEntry;
import io.neli.sample.lab.history.Observation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What an instance prints, line by line. Confined to the lab's thread. */
final class InstanceReports {

    /** The role that has a job. */
    static final String LEDGER = "ledger";

    private static final Logger log = LoggerFactory.getLogger(InstanceReports.class);

    private static final JsonMapper json = JsonMapper.shared();

    private final String name;
    private final Lane lane;
    private final Scene scene;
    private final Freezer freezer;

    InstanceReports(String name, Lane lane, Scene scene, Freezer freezer) {
        this.name = name;
        this.lane = lane;
        this.scene = scene;
        this.freezer = freezer;
    }

    void printed(String line, long at) {
        Report report;
        try {
            report = json.readValue(line, Report.class);
        } catch (JacksonException e) {
            log.warn("{} has printed what is no report: {}", name, line);
            return;
        }
        if (report instanceof Report.Present present) {
            lane.told(present.snapshot(), at);
            scene.history()
                    .accept(new Observation.Stands(at, name, present.snapshot().isCandidate()));
        } else if (report instanceof Event event) {
            changed(event, at);
        } else if (report instanceof Write write) {
            wrote(write, at);
        }
    }

    private void changed(Event event, long at) {
        String role = event.role();
        String reason = event.reason() == null ? "" : event.reason();
        switch (event.event()) {
            case ACQUIRED -> scene.history().accept(new Observation.Acquired(at, name, role, event.token()));
            case REVOKED -> scene.history().accept(new Observation.Revoked(at, name, role, event.token(), reason));
            case FENCED -> {
                Observation.Fenced fenced = new Observation.Fenced(at, name, role, event.token(), reason);
                lane.fenced(fenced);
                scene.history().accept(fenced);
            }
        }
    }

    /** What was committed is read from the topic itself. */
    private void wrote(Write write, long at) {
        freezer.heard(write);
        switch (write.phase()) {
            case BEGUN, COMMITTED -> {}
            case REFUSED -> {
                add(write, at, LedgerEntry.State.REFUSED);
                scene.history().accept(new Observation.Refused(at, name, LEDGER, write.token(), write.number()));
            }
            case FAILED -> add(write, at, LedgerEntry.State.FAILED);
        }
    }

    private void add(Write write, long at, LedgerEntry.State state) {
        scene.ledger().accept(new LedgerEntry(at, name, write.token(), write.number(), state, write.reason()));
    }
}
