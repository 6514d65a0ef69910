package io.neli.spring.autoconfigure;

import io.neli.NotLeaderException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/** Not nested in the auto-configuration, because Spring would register it there a second time, as a component. */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class NotLeaderAdvice {

    @ExceptionHandler
    ResponseEntity<Void> refuse(NotLeaderException refused) {
        ResponseEntity.HeadersBuilder<?> answer =
                ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).header(HttpHeaders.RETRY_AFTER, "1");
        refused.leader()
                .filter(leader -> !leader.self()) // it hands over
                .map(leader -> leader.metadata().get("url"))
                .ifPresent(url -> answer.header("Neli-Leader", url));
        return answer.build();
    }
}
