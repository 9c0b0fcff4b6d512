/** Sends messages at an even pace until its standard input ends, and then prints how many it sent. */
import {setTimeout as sleep} from 'node:timers/promises';
import {Pool} from 'undici';
import {channel, longTopic, shortTopics, topicName} from './worlds.ts';

const [url = '', email = '', apiKey = '', rate = '200'] = process.argv.slice(2);
const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
const pool = new Pool(url, {connections: 8});
const pending = new Set<Promise<void>>();
let [sent, failed] = [0, 0];

async function send(serial: number): Promise<void> {
  // Every fourth message goes to the open conversation.
  const topic = serial % 4 === 0 ? longTopic : topicName(serial % shortTopics);
  const content = `incoming ${serial} while somebody types`;
  const {statusCode, body} = await pool.request({
    method: 'POST',
    path: '/api/v1/messages',
    headers: {
      authorization,
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'ParleyBench/1.0',
    },
    body: new URLSearchParams({type: 'stream', to: channel, topic, content}).toString(),
  });
  await body.dump();
  if (statusCode === 200) sent++;
  else failed++;
}

let isOver = false;
process.stdin.resume().once('end', () => {
  isOver = true;
});
const start = performance.now();
for (let serial = 0; !isOver; serial++) {
  const due = start + (serial * 1000) / Number(rate);
  const early = due - performance.now();
  if (early > 1) await sleep(early);
  const one = send(serial).finally(() => pending.delete(one));
  pending.add(one);
  if (serial === 0) process.stdout.write('sending\n');
}
await Promise.all(pending);
if (failed > 0) console.error(`${failed} messages were refused`);
process.stdout.write(`${sent}\n`);
await pool.close();
