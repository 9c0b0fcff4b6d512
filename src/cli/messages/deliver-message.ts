import {failureMessage, isApiFailure, RetryFailure} from '#api/failure.ts';
import {isPersistent, readConfigSettings} from '#cli/account-access/open-store.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {exitCodeOf, PlainFailure} from '#cli/failures.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {DeliveryRecords} from '#state/outbox/delivery-records.ts';
import {Outbox, type OutgoingMessage} from '#state/outbox/outbox.ts';
import type {SessionContext} from '#state/session-context.ts';

/** What became of a message that was handed to the outbox. */
export type DeliveryResult =
  | {readonly kind: 'sent'; readonly messageId: number}
  /** It is certain that the server does not have it, and it is still in the outbox. */
  | {readonly kind: 'waiting'; readonly problem: string; readonly exitCode: ExitCode}
  | {readonly kind: 'refused'; readonly problem: string; readonly exitCode: ExitCode}
  /** It may have been sent. It stays in the outbox. */
  | {readonly kind: 'unconfirmed'; readonly problem: string};

/** The server answered a moment ago: worth this long a wait. */
const patienceMs = 60_000;

const stillOpen =
  'The answer to this message got lost, so it may or may not have been sent. The next Parley on this account finds out.';

type SendMessage = SessionContext['api']['sendMessage'];

/** An outbox for as long as a verb takes, and what went wrong with it last. */
export class VerbOutbox {
  readonly outbox: Outbox;
  readonly #context: SessionContext;
  readonly #io: CliIo;
  readonly #inTheAir = new Set<Promise<unknown>>();
  #failure: unknown;
  #isEnding = false;

  constructor(context: SessionContext, io: CliIo) {
    this.#io = io;
    const send: SendMessage = (...given) => this.#send(context.api.sendMessage, given);
    this.#context = {...context, api: {...context.api, sendMessage: send}};
    this.outbox = new Outbox(this.#context, readConfigSettings(io));
  }

  /** Waits for what becomes of an entry. Throws the signal's reason when it is aborted. */
  waitForDelivery(entryId: string): Promise<DeliveryResult> {
    return outcome(this.#context, entryId, () => this.#failure);
  }

  /** What other programs left in the outbox is sent along; nothing of it may be cut off in the air. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.allSettled(this.#inTheAir);
    // A turn for the outbox to write down what became of it.
    await new Promise<void>((resolve) => this.#context.clock.after(0, resolve));
  }

  async #send(send: SendMessage, given: Parameters<SendMessage>): ReturnType<SendMessage> {
    if (this.#isEnding) {
      throw new RetryFailure('The verb is over.', {
        endpoint: 'message.send',
        carriedOut: 'no',
        reason: 'network',
      });
    }
    const call = send(...given);
    this.#inTheAir.add(call);
    try {
      return await call;
    } catch (error) {
      this.#failure = error;
      const isToCome = isApiFailure(error) && error.kind === 'retry' && error.carriedOut === 'no';
      if (isToCome) printNotice(this.#io, failureMessage(error));
      throw error;
    } finally {
      this.#inTheAir.delete(call);
    }
  }
}

/** Sends one message, and says what became of it. What the server does not have can be discarded, or kept. */
export async function deliverMessage(
  context: SessionContext,
  message: OutgoingMessage,
  io: CliIo,
): Promise<{entryId: string; delivery: DeliveryResult; outbox: Outbox}> {
  const sending = new VerbOutbox(context, io);
  const {outbox} = sending;
  const {id} = outbox.send(message);
  try {
    const delivery = await sending.waitForDelivery(id);
    printHeldNotice(context, io);
    return {entryId: id, delivery, outbox};
  } catch (error) {
    // Interrupted: what is not on its way yet is taken back, and of the rest nobody knows.
    const isLeft =
      outbox.discard(id) === undefined && context.store.outbox.all().some((entry) => entry.id === id);
    if (isLeft) printNotice(io, stillOpen);
    throw error;
  } finally {
    await sending.end();
  }
}

/** Older messages that nobody sends without being told to. */
function printHeldNotice({store}: SessionContext, io: CliIo): void {
  const count = store.outbox.all().filter(({status}) => status === 'held').length;
  if (count === 0) return;
  const what = count === 1 ? 'One older message waits' : `${count} older messages wait`;
  printNotice(io, `${what} for your word: “parley outbox” lists what is not sent.`);
}

/** Nobody knows whether it was sent. */
export function unconfirmedFailure(
  {problem}: {readonly problem: string},
  {store}: SessionContext,
): PlainFailure {
  return new PlainFailure(isPersistent(store) ? `${problem} “parley outbox” shows it.` : problem);
}

function outcome(
  context: SessionContext,
  entryId: string,
  lastFailure: () => unknown,
): Promise<DeliveryResult> {
  const {cache, clock, signal, store} = context;
  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => {
      quit();
      cancel();
      signal.removeEventListener('abort', abort);
      finish();
    };
    const look = (isLate: boolean) => {
      try {
        const delivery = deliveryOf(store, entryId, lastFailure(), isLate);
        if (delivery !== undefined) end(() => resolve(delivery));
      } catch (error) {
        end(() => reject(error));
      }
    };
    const abort = () => end(() => reject(signal.reason));
    const quit = cache.subscribe(['outbox'], () => look(false));
    const cancel = clock.after(patienceMs, () => look(true));
    signal.addEventListener('abort', abort, {once: true});
    if (signal.aborted) abort();
    else look(false);
  });
}

function deliveryOf(
  store: SessionContext['store'],
  entryId: string,
  failure: unknown,
  isLate: boolean,
): DeliveryResult | undefined {
  const entry = store.outbox.all().find(({id}) => id === entryId);
  if (entry === undefined) {
    const messageId = new DeliveryRecords(store.keyValues).messageIdOf(entryId);
    // Discarded by another program, if it did not arrive.
    if (messageId !== undefined) return {kind: 'sent', messageId};
    return {
      kind: 'refused',
      problem: 'It was taken out of the outbox elsewhere.',
      exitCode: exitCodes.failed,
    };
  }
  const problem = entry.problem ?? (failure instanceof Error ? failure.message : 'It could not be sent.');
  switch (entry.status) {
    case 'failed':
      return {kind: 'refused', problem, exitCode: exitCodeOf(failure) ?? exitCodes.failed};
    case 'unconfirmed':
      return {kind: 'unconfirmed', problem};
    case 'held':
      return {kind: 'waiting', problem, exitCode: exitCodes.failed};
    case 'queued': {
      if (!isLate && !isHopeless(failure)) return undefined;
      return {kind: 'waiting', problem, exitCode: exitCodeOf(failure) ?? exitCodes.unreachable};
    }
    default:
      return isLate ? {kind: 'unconfirmed', problem: stillOpen} : undefined;
  }
}

/** Waiting on changes nothing: the key is not accepted, or the server said when, and that is too long. */
function isHopeless(failure: unknown): boolean {
  if (!isApiFailure(failure)) return false;
  return failure.kind === 'login' || (failure.kind === 'retry' && (failure.retryAfterMs ?? 0) > patienceMs);
}
