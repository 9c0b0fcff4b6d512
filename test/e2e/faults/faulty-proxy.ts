import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Server, type Socket} from 'node:net';

/** What a network does to what passes through it. */
type ProxyFault =
  | 'through'
  /** Nothing passes, nothing closes: both ends believe the other is there. */
  | 'silent'
  /** What the client says arrives, what the server says does not. */
  | 'deaf'
  /** Every connection is reset at once. */
  | 'cut'
  /** Answers come one byte at a time. */
  | 'dripping';

const dripMs = 15;

/** A TCP line between a client and a server on this machine, which can fail as networks do. */
export class FaultyProxy {
  readonly #server: Server;
  readonly #target: number;
  readonly #ends = new Set<Socket>();
  #mode: ProxyFault = 'through';
  /** How many connections or pieces of data met with the trouble since it began. */
  #strikes = 0;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((near) => this.#accept(near));
  }

  static async to(target: number): Promise<FaultyProxy> {
    const line = new FaultyProxy(target);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get url(): string {
    // A server that listens on a port has an address of this kind.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get strikes(): number {
    return this.#strikes;
  }

  /** All connections are reset, and new ones until it heals. */
  cut(): void {
    this.#begin('cut');
    this.reset();
  }

  /** All connections are reset, new ones work. */
  reset(): void {
    for (const end of this.#ends) hangUp(end);
  }

  /** What is sent from now on arrives nowhere; connections stay open, even after it heals. */
  silence(): void {
    this.#begin('silent');
  }

  /** As `silence`, but only of what the server sends. */
  deafen(): void {
    this.#begin('deaf');
  }

  drip(): void {
    this.#begin('dripping');
  }

  /** New connections work; old ones stay as they are. */
  heal(): void {
    this.#mode = 'through';
  }

  async close(): Promise<void> {
    this.cut();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #begin(mode: ProxyFault): void {
    this.#mode = mode;
    this.#strikes = 0;
  }

  #accept(near: Socket): void {
    if (this.#mode === 'cut') {
      this.#strikes++;
      hangUp(near);
      return;
    }
    const far = connect(this.#target, '127.0.0.1');
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#ends.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        this.#ends.delete(end);
        other.destroy();
      });
    }
    this.#pass(near, far, false);
    this.#pass(far, near, true);
  }

  /** A direction that once fell silent stays so: what was lost on the way is not sent again. */
  #pass(from: Socket, to: Socket, isAnswer: boolean): void {
    let isLost = false;
    from.on('data', (data) => {
      isLost ||= this.#mode === 'silent' || (isAnswer && this.#mode === 'deaf');
      if (isLost) this.#strikes++;
      else if (isAnswer && this.#mode === 'dripping') this.#drip(from, to, data);
      else to.write(data);
    });
    from.on('end', () => {
      if (!isLost) to.end();
    });
  }

  #drip(from: Socket, to: Socket, data: Buffer): void {
    this.#strikes++;
    from.pause();
    let sent = 0;
    const next = () => {
      if (to.destroyed) return;
      const isOver = this.#mode !== 'dripping';
      to.write(isOver ? data.subarray(sent) : data.subarray(sent, sent + 1));
      sent = isOver ? data.length : sent + 1;
      if (sent < data.length) setTimeout(next, dripMs);
      else from.resume();
    };
    next();
  }
}

/** A socket that was ended, or is not connected yet, cannot be reset any more: Node would leave its handle open for ever. */
function hangUp(end: Socket): void {
  if (end.writableEnded || end.connecting) end.destroy();
  else end.resetAndDestroy();
}
