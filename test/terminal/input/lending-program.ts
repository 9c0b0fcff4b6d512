import {spawn} from 'node:child_process';
import {systemClock} from '#std/clock.ts';
import {KeySource} from '#terminal/input/key-source.ts';
import {eventsText} from './events-text.ts';

/** Prints every key; `e` gives the terminal to a program that reads one line, as an editor would. */
const source = new KeySource({stdin: process.stdin, clock: systemClock, escapeTimeoutMs: 50});

function lend(): void {
  source.stop();
  process.stdin.setRawMode(false);
  const borrower = spawn('sh', ['-c', 'echo lent; read line; echo "borrower read: $line"'], {
    stdio: 'inherit',
  });
  borrower.on('exit', () => {
    process.stdin.setRawMode(true);
    source.start();
    console.log('back\r');
  });
}

source.onEvents((events) => {
  console.log(`keys: ${eventsText(events)}\r`);
  for (const event of events) {
    if (event.kind === 'key' && event.key.name === 'e') lend();
    if (event.kind === 'key' && event.key.name === 'q') process.exit(0);
  }
});
process.stdin.setRawMode(true);
source.start();
console.log('ready\r');
