package io.neli.bench.runs;

import javax.sql.DataSource;

import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Runs;
import io.neli.spring.ScheduledRun;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * An application that runs the same job in three ways: as a job of the group, with plain {@code @LeaderOnly}, and with
 * a lock in a database. It prints when each run begins and ends.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@EnableScheduling
@EnableSchedulerLock(defaultLockAtMostFor = "4s")
public class RunsMain {

    static final long PERIOD_MILLIS = 5_000;
    private static final String CRON = "*/5 * * * * *";
    private static final long WORK_MILLIS = 300;

    /** The arguments are properties of the application. */
    public static void main(String[] args) {
        SpringApplication.run(RunsMain.class, args);
    }

    @Bean
    LockProvider locks(DataSource database) {
        return new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(database))
                .usingDbTime()
                .build());
    }

    @Bean
    Jobs jobs() {
        return new Jobs();
    }

    public static class Jobs {

        @EventListener
        public void on(LeaderAcquiredEvent event) {
            print(Line.LEADS, "", 0);
        }

        @Scheduled(cron = CRON)
        @LeaderOnly(runs = Runs.AT_LEAST_ONCE, name = "runs")
        public void runs() throws InterruptedException {
            work("runs", ScheduledRun.current().orElseThrow().dueAt().toEpochMilli());
        }

        @Scheduled(cron = CRON)
        @LeaderOnly
        public void ticks() throws InterruptedException {
            work("ticks", due());
        }

        /** Two seconds exceed the difference of the clocks; four exceed the duration of the work. */
        @Scheduled(cron = CRON)
        @SchedulerLock(name = "locks", lockAtMostFor = "4s", lockAtLeastFor = "2s")
        public void locks() throws InterruptedException {
            work("locks", due());
        }

        private static long due() {
            return Math.round((double) System.currentTimeMillis() / PERIOD_MILLIS) * PERIOD_MILLIS;
        }

        private static void work(String job, long due) throws InterruptedException {
            print(Line.BEGINS, job, due);
            Thread.sleep(WORK_MILLIS);
            print(Line.ENDS, job, due);
        }

        private static void print(String what, String job, long due) {
            System.out.println(Line.PREFIX + what + " " + System.currentTimeMillis() + " " + due + " " + job);
        }
    }

    /** A line that the application prints. */
    record Line(String process, String what, long at, long due, String job) {
        static final String PREFIX = "RUN ";
        static final String LEADS = "leads";
        static final String BEGINS = "begins";
        static final String ENDS = "ends";

        static Line parse(String process, String text) {
            String[] parts = text.substring(PREFIX.length()).split(" ", 4);
            return new Line(process, parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[3]);
        }
    }
}
