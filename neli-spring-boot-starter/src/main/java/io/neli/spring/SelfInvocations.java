package io.neli.spring;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.util.ClassUtils;

/**
 * Finds calls of gated methods that no proxy sees, because they come from an ungated method of the same object. Knows those
 * without parameters, whose receiver is plain in the byte code; what it misses is not gated either.
 */
final class SelfInvocations extends ClassVisitor {

    private static final String LAMBDA = "lambda$";

    private final Set<String> gated;
    private final List<String> found = new ArrayList<>();

    private SelfInvocations(Collection<Method> gated) {
        super(SpringAsmInfo.ASM_VERSION);
        this.gated = gated.stream()
                .filter(method -> method.getParameterCount() == 0)
                .map(Method::getName)
                .collect(Collectors.toSet());
    }

    /** Such calls in the type, in words; none where its byte code is not at hand. */
    static List<String> in(Class<?> type, Collection<Method> gated) {
        SelfInvocations visitor = new SelfInvocations(gated);
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            try (InputStream code = each.getResourceAsStream(ClassUtils.getClassFileName(each))) {
                if (code != null) {
                    new ClassReader(code).accept(visitor, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
                }
            } catch (IOException | IllegalArgumentException e) { // the latter: newer than this reader
                return List.of();
            }
        }
        return List.copyOf(visitor.found);
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        boolean lambda = name.startsWith(LAMBDA);
        String caller = lambda ? name.substring(LAMBDA.length(), name.lastIndexOf('$')) : name;
        // What a private method is called by, is unknown here: perhaps by the gated ones alone.
        boolean entry = lambda || (access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC)) == 0;
        return entry && !gated.contains(caller) ? new Calls(caller) : null;
    }

    private final class Calls extends MethodVisitor {

        private final String caller;
        private boolean onThis;

        Calls(String caller) {
            super(SpringAsmInfo.ASM_VERSION);
            this.caller = caller;
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            onThis = opcode == Opcodes.ALOAD && variable == 0;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (opcode != Opcodes.INVOKESPECIAL && descriptor.startsWith("()")) {
                called(name);
            }
            onThis = false;
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle reference && reference.getDesc().startsWith("()")) {
                    called(reference.getName()); // this::name
                }
            }
            onThis = false;
        }

        private void called(String name) {
            if (onThis && gated.contains(name)) {
                found.add(caller + "() calls " + name + "()");
            }
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            onThis = false;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            onThis = false;
        }

        @Override
        public void visitInsn(int opcode) {
            onThis = false;
        }
    }
}
