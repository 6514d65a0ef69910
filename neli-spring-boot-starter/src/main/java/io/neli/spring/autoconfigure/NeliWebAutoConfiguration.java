package io.neli.spring.autoconfigure;

import io.neli.NotLeaderException;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for requests that only the leader handles: the answer to a {@link
 * NotLeaderException} is 503 with {@code Retry-After}, and with {@code Neli-Leader} if the leader has a {@code
 * neli.metadata.url}. Exception handlers of the application take precedence.
 */
@AutoConfiguration(after = NeliAutoConfiguration.class)
@ConditionalOnClass(ControllerAdvice.class)
@ConditionalOnWebApplication
public final class NeliWebAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "neliNotLeaderAdvice")
    NotLeaderAdvice neliNotLeaderAdvice() {
        return new NotLeaderAdvice();
    }
}
