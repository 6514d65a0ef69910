package io.neli.sample.lab;

import java.util.List;

import io.neli.NeliException;
import io.neli.sample.lab.view.PageView;
import io.neli.sample.lab.view.TermRow;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Answers the page's requests for its content, several times a second, and executes its commands. */
@RestController
final class LabController {

    private final Lab lab;

    LabController(Lab lab) {
        this.lab = lab;
    }

    @GetMapping("/api/view")
    PageView view() {
        return lab.view();
    }

    @GetMapping("/api/terms")
    List<TermRow> terms() throws InterruptedException {
        return TermRow.of(lab.terms());
    }

    @PostMapping("/api/processes/{name}/{action}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void perform(@PathVariable String name, @PathVariable String action) {
        lab.perform(name, action);
    }

    @ExceptionHandler
    ProblemDetail unknown(IllegalArgumentException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, e.getMessage());
    }

    @ExceptionHandler
    ProblemDetail unreadable(NeliException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, e.getMessage());
    }

    @ExceptionHandler
    ProblemDetail refused(IllegalStateException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, e.getMessage());
    }
}
