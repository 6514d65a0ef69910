package io.neli.spring.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches unless the election is on NATS. */
final class OnKafkaCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Election on Kafka");
        return NatsChoice.isIn(context.getEnvironment())
                ? ConditionOutcome.noMatch(message.because(NatsChoice.SERVERS + " is set, so it is on NATS"))
                : ConditionOutcome.match(message.because(NatsChoice.SERVERS + " is not set"));
    }
}
