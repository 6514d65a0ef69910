package io.neli.spring.autoconfigure.info;

import io.neli.Neli;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@code neli} in the info endpoint; off with
 * {@code management.info.neli.enabled=false}.
 */
@AutoConfiguration(after = NeliAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnSingleCandidate(Neli.class)
@ConditionalOnEnabledInfoContributor("neli")
public final class NeliInfoContributorAutoConfiguration {

    private static final String CONTRIBUTOR = "io.neli.spring.autoconfigure.info.NeliInfoContributor";

    @Bean(CONTRIBUTOR)
    @ConditionalOnMissingBean(name = CONTRIBUTOR)
    NeliInfoContributor neliInfoContributor(Neli neli) {
        return new NeliInfoContributor(neli);
    }
}
