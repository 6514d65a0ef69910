package io.neli.sample.lab;

import java.io.IOException;

import io.neli.sample.lab.process.ChildProcess;

/** Starts a process. */
interface Launcher {

    ChildProcess launch(ChildProcess.Listener listener) throws IOException;
}
