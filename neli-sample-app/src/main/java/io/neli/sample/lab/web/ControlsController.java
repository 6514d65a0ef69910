package io.neli.sample.lab.web;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The buttons. */
@RestController
final class ControlsController {

    private final Controls controls;

    ControlsController(Controls controls) {
        this.controls = controls;
    }

    @PostMapping("/api/instances/{instance}/{action}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void instance(@PathVariable String instance, @PathVariable String action) {
        controls.instance(instance, action);
    }

    @PostMapping("/api/broker/{action}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void broker(@PathVariable String action) {
        controls.broker(action);
    }

    @ExceptionHandler
    ProblemDetail unknown(UnknownControlException e) {
        return Problems.of(HttpStatus.NOT_FOUND, String.valueOf(e.getMessage()));
    }

    @ExceptionHandler
    ProblemDetail refused(RefusedControlException e) {
        return Problems.of(HttpStatus.CONFLICT, String.valueOf(e.getMessage()));
    }
}
