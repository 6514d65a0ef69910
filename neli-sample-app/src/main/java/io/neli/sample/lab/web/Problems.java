package io.neli.sample.lab.web;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** Answers that say what is wrong. */
final class Problems {

    private Problems() {}

    static ProblemDetail of(HttpStatus status, String message) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, message);
        problem.setProperty("problem", message);
        return problem;
    }
}
