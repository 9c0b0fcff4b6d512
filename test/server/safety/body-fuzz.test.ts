import {afterAll, expect, test} from 'vitest';
import {readParts} from '#server/http/request-body.ts';
import {Random} from '#std/random.ts';
import {RawConnection, requestHead} from '#test/support/raw-request.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

/** The number of generated bodies: `BODY_RUNS=100000` sends more. */
const runs = Number(process.env.BODY_RUNS ?? 400);
const random = new Random(Number(process.env.SAFETY_SEED ?? 20_260_101));
const below = (end: number) => random.below(end);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const many = (max: number, make: () => string) => Array.from({length: below(max)}, make).join('');

const file =
  '--XX\r\nContent-Disposition: form-data; name="file"; filename="tide.txt"\r\nContent-Type: text/plain\r\n\r\n';
const upload = `${file}high\r\n--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--XX--\r\n`;
const tokens = [
  '--XX',
  '--XX--',
  '--XX\r\n',
  '\r\n--XX',
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\r',
  '--',
  'XX',
  file,
  'Content-Disposition: form-data; name="a"',
  "Content-Disposition: form-data; filename*=utf-8''%ff",
  'Content-Disposition: form-data; name="a\\',
  'Content-Disposition:',
  'Content-Type: application/octet-stream',
  '; filename=""',
  ': ',
  '"',
  '\0',
  'ü',
  'a'.repeat(300),
];
const noise = () => String.fromCharCode(below(256));

function mutated(text: string): string {
  const at = below(text.length);
  return text.slice(0, at) + pick([noise, () => '', () => pick(tokens)])() + text.slice(at + below(3));
}

/** Bodies by the type that their header claims. */
const generators: readonly (readonly [string, () => string])[] = [
  ['multipart/form-data; boundary=XX', () => many(12, () => pick(tokens))],
  ['multipart/form-data; boundary=XX', () => `--XX\r\n${many(300, () => pick(tokens))}\r\n--XX--`],
  ['multipart/form-data; boundary=XX', () => mutated(mutated(upload))],
  ['multipart/form-data; boundary=XX', () => file.repeat(below(4)) + many(40, noise)],
  ['multipart/form-data; boundary=XX', () => pick(tokens).repeat(below(2000))],
  ['multipart/form-data', () => upload],
  ['multipart/form-data; boundary="', () => upload],
  [`multipart/form-data; boundary=${'a'.repeat(71)}`, () => upload],
  [
    'application/x-www-form-urlencoded',
    () => many(20, () => pick(['a', '=', '&', '%', '%ff', '+', '[', '{"', 'ü', '\0'])),
  ],
  [
    'application/x-www-form-urlencoded',
    () => `to=${many(300, () => pick(['[', '{"a":', '1', ',', ']', '}']))}&type=direct`,
  ],
  ['application/json', () => many(600, () => pick(['[', '{"a":', '1', ',', ']', '}', '"', '\\']))],
  ['application/json', () => '{"a":'.repeat(below(10_000)) + '}'.repeat(below(10_000))],
  ['text/plain', () => many(100, noise)],
  ['', () => many(100, noise)],
];

const targets = [
  'POST /api/v1/fetch_api_key',
  'POST /api/v1/messages',
  'POST /api/v1/user_uploads',
  'POST /api/v1/users/me/avatar',
  'GET /api/v1/server_settings',
  'POST /api/v1/external/json?stream=general',
  'POST /join/x',
] as const;

interface Sent {
  readonly target: string;
  readonly type: string;
  readonly body: Buffer;
  /** How the body is framed; `cut` bodies are shorter than their header says, and then the connection is closed. */
  readonly framing: 'exact' | 'cut' | 'chunked' | 'broken chunks';
}

function framed({body, framing}: Sent): {header: string; bytes: Buffer} {
  if (framing === 'exact') return {header: `Content-Length: ${body.length}`, bytes: body};
  if (framing === 'cut') return {header: `Content-Length: ${body.length + 1 + below(20)}`, bytes: body};
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const piece = body.subarray(at, at + 1 + below(body.length));
    const size = (framing === 'chunked' || below(3) > 0 ? piece.length : below(100)).toString(16);
    pieces.push(Buffer.from(`${size}\r\n`), piece, Buffer.from('\r\n'));
    at += piece.length;
  }
  return {header: 'Transfer-Encoding: chunked', bytes: Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')])};
}

const responsesByStatus = new Map<string, number>();

const start = process.cpuUsage();

afterAll(() => {
  if (process.env.BODY_RUNS === undefined) return;
  const {user, system} = process.cpuUsage(start);
  console.log(Object.fromEntries(responsesByStatus), `${(user + system) / 1e6} s of CPU time`);
});

async function setup() {
  const failures: string[] = [];
  const server = await testServer({rateLimited: false, log: (line, error) => failures.push(`${line} ${error}`)});
  const meg = server.people.member();
  server.people.channel('general', [meg]);
  const {api_key} = await server.as(meg).post('/bots', {full_name: 'Hook', short_name: 'hook', bot_type: 2});
  const authorization = `Authorization: Basic ${btoa(`${meg.email}:${meg.apiKey}`)}`;
  return {server, failures, send: (sent: Sent) => send(server, sent, authorization, api_key)};
}

/** Sends the body and checks that the server answers it, or closes the connection if the body is incomplete. */
async function send(server: TestServer, sent: Sent, authorization: string, key: string): Promise<void> {
  const {header, bytes} = framed(sent);
  const connection = new RawConnection(server.port);
  const {socket} = connection;
  const failure = (problem: string) => {
    const text = JSON.stringify(sent.body.toString('latin1', 0, 2000));
    return new Error(`${problem}: ${sent.target} ${sent.type} ${sent.framing} ${text}`);
  };
  const hang = Promise.withResolvers<never>();
  socket.setTimeout(30_000, () => {
    hang.reject(failure('No response'));
    socket.destroy();
  });
  const target = sent.target.includes('external') ? `${sent.target}&api_key=${key}` : sent.target;
  socket.write(requestHead(target, [authorization, `Content-Type: ${sent.type}`, header]));
  const isComplete = sent.framing === 'exact' || sent.framing === 'chunked';
  if (isComplete) socket.write(bytes);
  else if (below(4) === 0) socket.write(bytes, () => socket.resetAndDestroy());
  else socket.end(bytes);
  const response = await Promise.race([connection.response, hang.promise]);
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1] ?? 'closed';
  responsesByStatus.set(status, (responsesByStatus.get(status) ?? 0) + 1);
  // A connection that was closed in the middle of a body may be closed without a response.
  if (!/^[234]/.test(status) && (isComplete || status !== 'closed')) throw failure(status);
}

/** Sends all bodies, several at a time. */
async function sendAll(bodies: Iterable<Sent>): Promise<void> {
  const {server, failures, send} = await setup();
  const rest = bodies[Symbol.iterator]();
  const sendRest = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await send(next.value);
  };
  await Promise.all(Array.from({length: 8}, sendRest));
  expect(failures).toEqual([]);
  expect((await server.anonymous().get('/server_settings')).result).toBe('success');
}

function* generated(): Generator<Sent> {
  for (let count = 0; count < runs; count++) {
    const [type, make] = pick(generators);
    const framing = pick(['exact', 'exact', 'cut', 'chunked', 'broken chunks'] as const);
    yield {target: pick(targets), type, body: Buffer.from(make(), pick(['utf8', 'latin1'])), framing};
  }
}

test(
  'body fuzz: every generated body is answered, without a crash or a 500',
  () => sendAll(generated()),
  30_000 + runs * 100,
);

function* cutEverywhere(): Generator<Sent> {
  const bodies = [
    ['POST /api/v1/user_uploads', 'multipart/form-data; boundary=XX', upload],
    ['POST /api/v1/fetch_api_key', 'application/x-www-form-urlencoded', 'username=a%40b&password=c'],
    ['POST /api/v1/external/json?stream=general', 'application/json', '{"a":[1,"b",{"c":null}]}'],
  ] as const;
  for (const [target, type, text] of bodies) {
    for (let length = 0; length < text.length; length++) {
      const body = Buffer.from(text.slice(0, length));
      for (const framing of ['exact', 'cut'] as const) yield {target, type, body, framing};
    }
  }
}

test('body fuzz: a body that is cut off at any byte is answered', () => sendAll(cutEverywhere()), 30_000);

async function* splitAt(text: string, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size), 'latin1');
}

test('body fuzz: the parts of a multipart body are the same however it is split', async () => {
  const read = async (size: number) => {
    const parts: unknown[] = [];
    for await (const {content, ...part} of readParts(splitAt(`preamble\r\n${upload}epilogue`, size), 'XX')) {
      parts.push({...part, content: Buffer.concat(await Array.fromAsync(content)).toString()});
    }
    return parts;
  };
  for (let size = 1; size < upload.length + 30; size++) {
    expect(await read(size)).toEqual([
      {name: 'file', filename: 'tide.txt', contentType: 'text/plain', content: 'high'},
      {name: 'a', filename: undefined, contentType: '', content: 'b'},
    ]);
  }
});
