import {changeProblem} from '#ui/actions/server-request.ts';
import {acceptBannerOffer, retryConnection, retryProblem} from '#ui/banner/accept-banner-offer.ts';
import {openAboutCard} from '#ui/connection/about-card.ts';
import {copyDiagnostics, openConnectionCard, registerAgain, sendOutboxNow} from '#ui/connection/connection-card.ts';
import type {Command} from './command.ts';

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
    run: openAboutCard,
  },
  {
    id: 'connection.show',
    title: 'Connection',
    aliases: ['connection status', 'latency', 'network', 'rate limit', 'event queue', 'diagnostics', 'pending changes'],
    contexts: ['nav'],
    run: openConnectionCard,
  },
  {
    id: 'connection.register',
    title: 'Reload the account from the server',
    aliases: ['register again', 're-register', 'new event queue', 'reload', 'refresh', 'sync'],
    contexts: ['nav'],
    run: registerAgain,
  },
  {
    id: 'outbox.send',
    title: 'Send the outbox now',
    aliases: ['send all', 'flush outbox', 'resend', 'send pending'],
    contexts: ['nav'],
    disabledReason: changeProblem,
    run: sendOutboxNow,
  },
  {
    id: 'connection.copy',
    title: 'Copy connection diagnostics',
    aliases: ['diagnostics', 'bug report', 'debug info'],
    contexts: ['nav'],
    run: copyDiagnostics,
  },
];
