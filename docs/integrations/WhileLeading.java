package com.example.billing;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.neli.Neli;
import io.neli.spring.LeaderRevokedEvent;
import org.springframework.batch.core.ExitStatus;
import org.springframework.batch.core.listener.StepExecutionListener;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class WhileLeading implements StepExecutionListener {

    private final Set<StepExecution> running = ConcurrentHashMap.newKeySet();
    private final Neli neli;

    WhileLeading(Neli neli) {
        this.neli = neli;
    }

    @Override
    public void beforeStep(StepExecution step) {
        running.add(step);
        if (!neli.isLeader()) {
            step.setTerminateOnly(); // the handover began just before
        }
    }

    @Override
    public ExitStatus afterStep(StepExecution step) {
        running.remove(step);
        return step.getExitStatus();
    }

    @EventListener(LeaderRevokedEvent.class)
    void stop() {
        running.forEach(StepExecution::setTerminateOnly);
    }
}
