// The HTTP side of the server, for reading and for signing in.

import type {
  FactorOffer,
  FactorState,
  Failure,
  Guest,
  Health,
  PasswordChosen,
  Pending,
  Propose,
  RecoveryCodes,
  Session,
} from './wire';

/** What the server says when it does not do something. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    words: string,
  ) {
    super(words);
  }
}

/** What is shown at the door: a device's credential, or the token beside the session's cookie. */
export interface Pass {
  device?: string;
  csrf?: string;
  /** The console at which somebody signs in: strangers who guess passwords elsewhere do not lock them out here. */
  console?: string;
}

async function ask<T>(method: string, path: string, pass: Pass = {}, body?: unknown): Promise<T> {
  const headers: Record<string, string> = {};
  if (pass.device) headers['authorization'] = `Bearer ${pass.device}`;
  if (pass.csrf) headers['x-punto-csrf'] = pass.csrf;
  if (pass.console) headers['x-punto-device'] = pass.console;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(path, {
    method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const said: unknown = text === '' ? null : JSON.parse(text);
  if (!response.ok) {
    const { error } = (said ?? {}) as Partial<Failure>;
    throw new Problem(response.status, error?.code ?? String(response.status), error?.words ?? response.statusText);
  }
  return said as T;
}

export const get = <T>(path: string, pass?: Pass): Promise<T> => ask('GET', path, pass);
export const post = <T>(path: string, body: unknown, pass?: Pass): Promise<T> => ask('POST', path, pass, body);
export const remove = (path: string, pass?: Pass): Promise<null> => ask('DELETE', path, pass);

export const health = (): Promise<Health> => get('/api/health');

/** How long a visitor waits at the door while a demonstration is being set up, and how often they knock. */
const PATIENCE = 15_000;
const KNOCK = 500;

/** The demonstration's own sign-ins and devices; none where there is no demonstration. */
export async function guest(): Promise<Guest | null> {
  if ((await health()).kind !== 'demo') return null;
  for (const since = Date.now(); ;) {
    try {
      return await get<Guest>('/api/demo');
    } catch (problem) {
      const isEarly = problem instanceof Problem && problem.status === 404 && Date.now() - since < PATIENCE;
      if (!isEarly) throw problem;
      await new Promise((later) => setTimeout(later, KNOCK));
    }
  }
}

/** Whether somebody signed in from this tab: no script can see the session itself. */
const SIGNED_IN = 'punto-signed-in';

/** Who is signed in here; none if nobody is. */
export async function session(): Promise<Session | null> {
  if (!sessionStorage.getItem(SIGNED_IN)) return null;
  try {
    return await get<Session>('/api/session');
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 401) throw problem;
    sessionStorage.removeItem(SIGNED_IN);
    return null;
  }
}

/** A code goes along only where somebody typed one. */
const coded = (code: string): { code?: string } => (code.trim() === '' ? {} : { code: code.trim() });

/** Signs in, at a console or elsewhere, with a code of the second factor if there is one. */
export async function enter(person: string, password: string, code: string, pass: Pass = {}): Promise<Session> {
  const begun = await post<Session>('/api/session', { person, password, ...coded(code) }, pass);
  sessionStorage.setItem(SIGNED_IN, begun.person);
  return begun;
}

export async function signOut(csrf: string): Promise<null> {
  sessionStorage.removeItem(SIGNED_IN);
  return remove('/api/session', { csrf });
}

/** Has an order wait for the signatures of whoever gives it and of the second person that it names. */
export const propose = (table: string, asked: Propose, csrf: string): Promise<Pending> =>
  post(`/api/tables/${table}/pending`, asked, { csrf });

/**
 * Somebody signs what waits, by their password: whoever is signed in, or another person who has come, with a code of their second
 * factor if they have one.
 */
export const sign = (
  pending: string,
  { person, password, code }: { person: string; password: string; code: string },
  csrf: string,
): Promise<Pending> => post('/api/approvals', { pending, person, password, ...coded(code) }, { csrf });

/** How one's own second factor stands. */
export const factor = (): Promise<FactorState> => get('/api/factor');

/** Chooses a password by an invitation. */
export const choosePassword = (invitation: string, code: string, password: string): Promise<PasswordChosen> =>
  post('/api/password', { invitation, password, ...coded(code) });

/** Begins to set up a second factor. */
export const offerFactor = (password: string, code: string, csrf: string): Promise<FactorOffer> =>
  post('/api/factor/offer', { password, ...coded(code) }, { csrf });

/** Sets up what was offered, by the first code of the app. */
export const enrolFactor = (code: string, csrf: string): Promise<RecoveryCodes> =>
  post('/api/factor', { code }, { csrf });

/** Has new recovery codes made. */
export const renewRecoveryCodes = (password: string, code: string, csrf: string): Promise<RecoveryCodes> =>
  post('/api/factor/recovery-codes', { password, ...coded(code) }, { csrf });

/** Stops the reset of a second factor. */
export const stopReset = (begun: number, password: string, code: string, csrf: string): Promise<null> =>
  post('/api/factor/resets/stop', { begun, password, ...coded(code) }, { csrf });

/** What waits for the signature of whoever is signed in. */
export const waiting = (): Promise<Pending[]> => get('/api/pending');

/** How something that one asked for stands. */
export const pending = (name: string): Promise<Pending> => get(`/api/pending/${name}`);

/** Takes back what one asked for. */
export const withdraw = (name: string, csrf: string): Promise<null> => remove(`/api/pending/${name}`, { csrf });
