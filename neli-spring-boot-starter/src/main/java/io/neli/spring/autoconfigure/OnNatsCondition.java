package io.neli.spring.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if the properties put the election on NATS. */
final class OnNatsCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Election on NATS");
        return NatsChoice.isIn(context.getEnvironment())
                ? ConditionOutcome.match(message.because(NatsChoice.SERVERS + " is set"))
                : ConditionOutcome.noMatch(message.because(NatsChoice.SERVERS + " is not set"));
    }
}
