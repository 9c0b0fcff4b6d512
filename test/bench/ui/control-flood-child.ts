/**
 * node test/bench/ui/control-flood-child.ts SOCKET CONNECTIONS LINE
 *
 * Sends a line again and again at each of several connections to a control socket and reads the answers, until it is killed.
 */
import {connect} from 'node:net';

const [path = '', connections = '1', line = ''] = process.argv.slice(2);
const many = `${line}\n`.repeat(Math.max(1, Math.floor(60_000 / line.length)));

for (let count = 0; count < Number(connections); count++) {
  const socket = connect(path);
  const send = () => {
    while (socket.write(many));
  };
  socket.on('drain', send).resume();
  socket.once('connect', send);
  socket.once('data', () => process.stdout.write('answered\n'));
}
