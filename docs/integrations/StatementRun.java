package com.example.billing;

import java.time.LocalDate;

import io.neli.Leadership;
import io.neli.spring.LeaderOnly;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.JobExecutionException;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
class StatementRun {

    private final Job statements;
    private final JobOperator operator;
    private final JobRepository repository;

    StatementRun(Job statements, JobOperator operator, JobRepository repository) {
        this.statements = statements;
        this.operator = operator;
        this.repository = repository;
    }

    @Scheduled(cron = "0 */10 3 * * *") // until it is complete
    @LeaderOnly
    void run() throws JobExecutionException {
        JobParameters parameters = new JobParametersBuilder()
                .addLocalDate("day", LocalDate.now())
                .addLong("token", Leadership.current().orElseThrow().token(), false)
                .toJobParameters();
        JobExecution last = repository.getLastJobExecution(statements.getName(), parameters);
        if (last != null && last.getStatus() == BatchStatus.COMPLETED) {
            return;
        }
        if (last != null && last.isRunning()) {
            operator.recover(last); // of a leader that crashed: nobody else runs it
        }
        operator.start(statements, parameters);
    }
}
