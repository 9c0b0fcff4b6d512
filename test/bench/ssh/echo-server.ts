/** An SSH server without Parley, which lets everybody in and returns each byte: the floor of the latency. Prints its port. */

import {createServer} from 'node:net';
import ssh2 from 'ssh2';

const {private: hostKey} = ssh2.utils.generateKeyPairSync('ed25519');
const server = new ssh2.Server({hostKeys: [hostKey]}, (connection) => {
  connection.on('error', () => {});
  connection.on('authentication', (attempt) => attempt.accept());
  connection.on('session', (accept) => {
    const session = accept();
    session.on('pty', (acceptPty) => acceptPty?.());
    const echo = (channel: NodeJS.ReadWriteStream) => {
      channel.write('> ');
      channel.pipe(channel);
    };
    session.on('shell', (acceptShell) => echo(acceptShell()));
    session.on('exec', (acceptExec) => echo(acceptExec()));
  });
});
const listener = createServer((socket) => {
  socket.setNoDelay(true);
  server.injectSocket(socket);
});
listener.listen(0, '127.0.0.1', () => {
  const address = listener.address();
  console.log(typeof address === 'object' ? address?.port : address);
});
process.on('disconnect', () => process.exit());
