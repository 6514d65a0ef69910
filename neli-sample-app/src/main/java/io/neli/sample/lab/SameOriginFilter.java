package io.neli.sample.lab;

import java.io.IOException;
import java.util.Locale;
import java.util.Set;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Accepts only requests of the lab's own page, and of programs that are not browsers. Any page that the user has open
 * can make the browser send requests to this machine; those that can change something name its origin. A page whose
 * own host name resolves to this machine (DNS rebinding) is recognized by the host that it requests.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SameOriginFilter extends OncePerRequestFilter {

    private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        if (isOwn(request)) {
            chain.doFilter(request, response);
        } else {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
        }
    }

    private static boolean isOwn(HttpServletRequest request) {
        String host = request.getHeader("Host");
        String origin = request.getHeader("Origin");
        return host != null
                && HOSTS.contains(host.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT))
                && (origin == null || origin.equalsIgnoreCase("http://" + host));
    }
}
