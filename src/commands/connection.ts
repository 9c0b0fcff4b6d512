import {changeProblem} from '#app/actions/server-request.ts';
import {acceptBannerOffer, retryConnection, retryProblem} from '#app/chrome/accept-banner-offer.ts';
import type {App} from '#app/core/app.ts';
import {errorText} from '#std/error-text.ts';
import type {Command} from './command.ts';

/** Runs a function of a module that is loaded when it is first needed. */
function lazily<M>(load: () => Promise<M>, run: (module: M, app: App) => void): Command['run'] {
  return (app) => {
    load().then(
      (module) => run(module, app),
      (error: unknown) => app.toast(errorText(error), 'error'),
    );
  };
}

const connectionActions = () => import('#app/connection/connection-actions.ts');

export const connectionCommands: readonly Command[] = [
  {
    id: 'banner.accept',
    title: 'Accept banner: reconnect, log in, subscribe',
    contexts: ['banner'],
    isKeyOnly: true,
    hint: 'accept',
    hints: {banner: 1},
    worksBeforeFirstPaint: true,
    run: acceptBannerOffer,
  },
  {
    id: 'connection.retry',
    title: 'Reconnect now',
    aliases: ['retry', 'connect', 'online'],
    contexts: ['nav'],
    worksBeforeFirstPaint: true,
    disabledReason: retryProblem,
    run: retryConnection,
  },
  {
    id: 'server.about',
    title: 'About this server',
    aliases: [
      'about',
      'server version',
      'feature level',
      'organization info',
      'limits',
      'login methods',
      'parley version',
    ],
    contexts: ['nav'],
    run: lazily(
      () => import('#app/connection/about-card.ts'),
      ({openAboutCard}, app) => openAboutCard(app),
    ),
  },
  {
    id: 'connection.show',
    title: 'Connection',
    aliases: ['connection status', 'latency', 'network', 'rate limit', 'event queue', 'diagnostics', 'pending changes'],
    contexts: ['nav'],
    run: lazily(
      () => import('#app/connection/connection-card.ts'),
      ({openConnectionCard}, app) => openConnectionCard(app),
    ),
  },
  {
    id: 'connection.register',
    title: 'Reload the account from the server',
    aliases: ['register again', 're-register', 'new event queue', 'reload', 'refresh', 'sync'],
    contexts: ['nav'],
    run: lazily(connectionActions, ({registerAgain}, app) => registerAgain(app)),
  },
  {
    id: 'outbox.send',
    title: 'Send the outbox now',
    aliases: ['send all', 'flush outbox', 'resend', 'send pending'],
    contexts: ['nav'],
    disabledReason: (app) => changeProblem(app) ?? (app.state.outbox.length === 0 ? 'The outbox is empty' : undefined),
    run: lazily(connectionActions, ({sendOutboxNow}, app) => sendOutboxNow(app)),
  },
  {
    id: 'connection.copy',
    title: 'Copy connection diagnostics',
    aliases: ['diagnostics', 'bug report', 'debug info'],
    contexts: ['nav'],
    run: lazily(connectionActions, ({copyDiagnostics}, app) => copyDiagnostics(app)),
  },
];
