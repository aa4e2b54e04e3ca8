// Why a request about one's own account was not carried out, in the reader's language, and what to do next. The server's
// own sentence is English; it is shown only for a code that this list does not have.

import { Problem } from '../api';
import { language, type Language } from '../language.svelte';

/** Codes of the server that the account, invitation and device pages can meet. */
export const CODES = [
  'not-signed-in',
  'not-allowed',
  'factor-needed',
  'csrf',
  'not-found',
  'malformed',
  'too-slow',
  'too-often',
  'busy',
  'internal',
  'not-recorded',
  'one-person',
  'pending-gone',
  'invitation-not-good',
  'code-not-good',
  'factor-code-wrong',
  'factor-offer-gone',
  'no-factor',
  'password-too-short',
  'password-too-long',
  'password-too-common',
  'password-is-a-name',
] as const;
type Code = (typeof CODES)[number];

const WORDS: Record<Language, Record<Code | 'unreachable', string>> = {
  en: {
    unreachable: 'The server cannot be reached. Nothing that you typed is lost: try again in a moment.',
    'not-signed-in':
      'Staff number, password and code do not belong together, or there were too many attempts. Wait for the next code of your app; after five failures wait 15 minutes.',
    'not-allowed': 'Your role does not allow this. Ask an Administrator.',
    'factor-needed': 'Your role requires a second factor. Set one up first, at /account on this server.',
    csrf: 'This page is out of date. Reload it and sign in again.',
    'not-found': 'This no longer exists: it was already done, or stopped. Reload the page to see how it stands.',
    malformed: 'The server could not read this. Check what you typed, without signs that cannot be seen.',
    'too-slow': 'The line is too slow: the server gave up waiting. Try again.',
    'too-often': 'Too many attempts from this address. Wait a minute and try again.',
    busy: 'The server is busy. Try again in a moment.',
    internal: 'Something failed on the server. Try again; if it happens again, tell the person who runs the server.',
    'not-recorded': 'The house’s record does not accept this. Ask an Administrator.',
    'one-person': 'This takes two different people.',
    'pending-gone': 'What was to be signed has changed or waited too long. Ask for it to be submitted again.',
    'invitation-not-good':
      'This invitation was used, has expired, or is incomplete. If you have chosen a password with it, sign in; otherwise ask an Administrator for another invitation.',
    'code-not-good':
      'The code of the second person is missing or wrong. Ask the person who signed for your invitation for it.',
    'factor-code-wrong':
      'That is not the code that the app shows for this house now. Check the clock of the telephone and enter the next code.',
    'factor-offer-gone':
      'This secret has expired, or another second factor was set up meanwhile. Reload the page and begin again.',
    'no-factor': 'This person has no second factor.',
    'password-too-short': 'The password needs at least 12 characters, your staff number not counted.',
    'password-too-long': 'The password may have at most 256 characters.',
    'password-too-common':
      'This password is too easy to guess: it is made of common words, dates, repetitions or keys in a row. A sentence of four or five words is better.',
    'password-is-a-name':
      'This password is too easy to guess: it contains your name, or that of a table or of the house. A sentence of four or five words is better.',
  },
  'zh-Hans': {
    unreachable: '无法连接服务器。已输入的内容仍然保留，请稍后再试。',
    'not-signed-in': '员工编号、密码与代码不符，或尝试次数过多。请等应用程序的下一个代码；错误五次后须等 15 分钟。',
    'not-allowed': '您的职位无权这样做，请联系管理员。',
    'factor-needed': '您的职位须有第二验证。请先在本服务器的 /account 设置。',
    csrf: '此页面已过时，请重新打开并再次登录。',
    'not-found': '此事已不存在：已完成或已停止。请重新打开页面查看。',
    malformed: '服务器无法读取。请检查所输入的内容，勿含看不见的字符。',
    'too-slow': '等待过久，服务器已停止等待。请再试一次。',
    'too-often': '此地址尝试次数过多，请等一分钟再试。',
    busy: '服务器暂时不可用，请稍后再试。',
    internal: '服务器出错。请再试一次；如再次发生，请告知管理员。',
    'not-recorded': '本场的记录不接受此事，请联系管理员。',
    'one-person': '此事须由不同的两人进行。',
    'pending-gone': '待签核的内容已改变或等待过久，请重新提出。',
    'invitation-not-good': '此链接已使用、已过期或不完整。如您已用它设置密码，请登录；否则请向管理员取得新的链接。',
    'code-not-good': '缺少第二人的代码，或代码不对。请向签核此链接的第二人取得。',
    'factor-code-wrong': '这不是应用程序现在为本场显示的代码。请检查手机的时间，并输入下一个代码。',
    'factor-offer-gone': '此密钥已过期，或已设置另一个第二验证。请重新打开页面，重新开始。',
    'no-factor': '此人没有第二验证。',
    'password-too-short': '密码至少须有 12 个字符，员工编号不计在内。',
    'password-too-long': '密码最多 256 个字符。',
    'password-too-common': '此密码不安全：由常用字、日期、重复或键盘上连续的键组成。请改用较长的文字。',
    'password-is-a-name': '此密码不安全：含有您的名字，或赌台、本场的名称。请改用较长的文字。',
  },
  'zh-Hant': {
    unreachable: '無法連接伺服器。已輸入的內容仍然保留，請稍後再試。',
    'not-signed-in': '員工編號、密碼與代碼不符，或嘗試次數過多。請等應用程式的下一個代碼；錯誤五次後須等 15 分鐘。',
    'not-allowed': '您的職位無權這樣做，請聯絡管理員。',
    'factor-needed': '您的職位須有第二驗證。請先在本伺服器的 /account 設定。',
    csrf: '此頁面已過時，請重新開啟並再次登入。',
    'not-found': '此事已不存在：已完成或已停止。請重新開啟頁面查看。',
    malformed: '伺服器無法讀取。請檢查所輸入的內容，勿含看不見的字元。',
    'too-slow': '等待過久，伺服器已停止等待。請再試一次。',
    'too-often': '此位址嘗試次數過多，請等一分鐘再試。',
    busy: '伺服器暫時不可用，請稍後再試。',
    internal: '伺服器出錯。請再試一次；如再次發生，請告知管理員。',
    'not-recorded': '本場的記錄不接受此事，請聯絡管理員。',
    'one-person': '此事須由不同的兩人進行。',
    'pending-gone': '待簽核的內容已改變或等待過久，請重新提出。',
    'invitation-not-good': '此連結已使用、已過期或不完整。如您已用它設定密碼，請登入；否則請向管理員取得新的連結。',
    'code-not-good': '缺少第二人的代碼，或代碼不對。請向簽核此連結的第二人取得。',
    'factor-code-wrong': '這不是應用程式現在為本場顯示的代碼。請檢查手機的時間，並輸入下一個代碼。',
    'factor-offer-gone': '此密鑰已過期，或已設定另一個第二驗證。請重新開啟頁面，重新開始。',
    'no-factor': '此人沒有第二驗證。',
    'password-too-short': '密碼至少須有 12 個字元，員工編號不計在內。',
    'password-too-long': '密碼最多 256 個字元。',
    'password-too-common': '此密碼不安全：由常用字、日期、重複或鍵盤上連續的鍵組成。請改用較長的文字。',
    'password-is-a-name': '此密碼不安全：含有您的名字，或賭檯、本場的名稱。請改用較長的文字。',
  },
};

const isKnown = (code: string): code is Code => (CODES as readonly string[]).includes(code);

/** Why something was not done. Anything that is no answer of the server means that it could not be reached. */
export function why(problem: unknown): string {
  const t = WORDS[language.now];
  if (!(problem instanceof Problem)) return t.unreachable;
  return isKnown(problem.code) ? t[problem.code] : problem.message;
}

/** Whether the server looked at what was typed and refused it as wrong. Only then is a password to be typed again. */
export const isWrong = (problem: unknown): boolean => problem instanceof Problem && problem.status === 401;
