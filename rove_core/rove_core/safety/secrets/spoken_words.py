"""Words for passwords and logins in many languages, as data."""

# ruff: noqa: RUF001  # the words are those of many languages

from collections.abc import Mapping
from typing import Final

#: Words for a password: a text that each has in it, and the rest of the word from there on.
WORDS: Final[Mapping[str, str]] = {
    "pass": (
        r"(?:words?|worte?s?|wd|phrases?|ord(?:et)?|code"
        r"|e(?:(?<=mot de passe)|(?<=mots de passe)|(?<=palavra.passe)))"
    ),
    "pw": r"d?",
    "p/w": "",
    "mdp": "",
    "psw": "",
    "ww": "",
    "contrase": "(?:[nñ]as?|nyas?)",
    "clave": "",
    "senha": "s?",
    "wachtwoord": "(?:en)?",
    "kennwort": "(?:es)?",
    "parola": r"(?: chiave| d['’](?:ordine|accesso)|s[ıi]\w{0,4}|y[ıi]|n[ıi]?z?|m)?",
    "haslo": "",
    "heslo": "",
    "salasana": "",
    "kodeord": "(?:et)?",
    "adgangskode": "n?",
    "sifre": r"\w{0,8}",
    "losenord": "(?:et)?",
    "code d": "['’]acc[eèé]s",
    "zugangscode": "",
    "sandi": "(?:nya)?",
    "kata laluan": "",
    "lozink": "[aeu]",
    "zapork": "[aeu]",
    "geslo": "",
    "parool": "",
    "chiave": " (?:(?:del )?wi-?fi|wpa2?|di rete|della rete)",
    "phrase secr": "[eè]te",
    "frase secreta": "",
    "pass phrase": "",
    "network key": "",
}
#: Words that say something else, too: the password stands right behind them.
WEAK_WORDS: Final[Mapping[str, str]] = {
    "pass": "",
    "psk": "",
    "wpa": "[23]?",
    "contra": "",
    "security key": "",
}
#: The same with letters beyond ASCII, looked for where a text has some.
WORDS_BEYOND_ASCII: Final[Mapping[str, str]] = {
    "hasł": "[oaeu]m?",
    "пасс": "",
    "passwört": "ern?",
    "парол": r"(?:ьн\w{1,3} фраз\w|[ьеяаиі]м?(?:та)?|ями|ів|ей)",
    "lösenord": "(?:et)?",
    "şifre": r"\w{0,8}",
    "parolă": "",
    "clé": " (?:wi-?fi|wpa2?|réseau|du wi-?fi|du réseau)",
    "schlüssel": "",
    "slaptažod": "is|į|žio",
    "lykilorð": "(?:ið)?",
    "jelsz": "[óo]",
    "暗号化キー": "",
    "提取码": "",
    "ağ anahtar": r"ı\w{0,4}",
    "ключ (пароль)": "",
    "パス": "(?:ワード|フレーズ)?",
    "暗証番号": "",
    "密码": "",
    "密碼": "",
    "口令": "",
    "비밀번호": "[는은]?",
    "비번": "[는은]?",
    "패스워드": "",
    "암호": "",
    "κωδικό": "ς?",
    "סיסמ": "[הא]",
    "पासवर्ड": "",
    "mật khẩu": "",
    "รหัสผ่าน": "",
    "كلمة المرور": "",
    "كلمة السر": "",
    "رمز عبور": "",
    "गुप्त शब्द": "",
    "পাসওয়ার্ড": "",
}
#: What comes before a name and a password, one behind the other.
PAIRS: Final[Mapping[str, str]] = {
    "cred": "(?:ential)?s|enziali|enciales|enciais",
    "zugang": "(?:sdaten)?",
    "anmeldedaten": "",
    "identifiants": "",
    "inloggegevens": "",
    "inlog": "",
    "dane logowania": "",
    "dane do logowania": "",
    "konto": "",
    "acceso": "",
    "accesso": "",
    "acesso": "",
    "acc": "[eè]s",
    "toegang": "",
    "login": "(?: with| as)?",
    "log in": " with| as",
}
PAIRS_BEYOND_ASCII: Final[Mapping[str, str]] = {
    "dostęp": "(?:owe|u|y|ów)?",
    "접속": " ?정보",
    "로그인": "(?: ?정보)?",
    "ログイン": "(?:情報)?",
    "логин": "",
    "доступ": "[ыи]?",
    "учётные данные": "",
    "учетные данные": "",
    "облікові дані": "",
    "登录": "(?:信息)?",
    "giriş bilgi": "leri",
    "учётка": "",
    "учетка": "",
    "креды": "",
    "账号": "",
    "帐号": "",
    "用户": "名?",
    "계정": "",
}
#: What somebody does who enters as a user, with a password.
ENTERS: Final[Mapping[str, str]] = {
    "log in": "",
    "login": "",
    "logg": "(?:ing|ed) in",
    "sign in": "",
    "einlogg": "en",
    "anmelden": "",
    "entra": "r?",
    "accedi": "",
    "connecte": "(?:z|r)?",
    "inloggen": "",
    "inloggegevens": "",
    "zaloguj": "",
}
#: What stands between a user's name and a password where nothing else says so.
SLASHES: Final[Mapping[str, str]] = {" / ": "", " + ": ""}

#: What says what a password is; between spaces, as patterns.
VERBS: Final = (
    r"is are was be remains reads should|must|will|has ist war bleibt lautet lautete"
    r" heißt hieß es era sigue\ssiendo será est était reste vaut c['’]est|était sera è era"
    r" rimane resta sarà é continua\ssendo? será jest był[oa]? brzmi to är er je on blijft"
    r" luidt wordt was это был[оа]? було будет стал остался adalah ialah là este estas"
    r" continua c['’]è è\stornata"
    r" had\sbeen będzie буде wird wäre sein ['’]ve\sbeen have\sbeen"
    r" ficou quedó oldu став стала és είναι היא הוא هي هو है"
)
#: What somebody does with a password who is asked for it.
ENTER: Final = (
    r"enter use try type|typed put|set tape[rz]? saisi[a-z]* utilise[rz]?"
    r" pon|pones|pongan? escrib[a-z]* usa[rn]? digit[aeo][a-z]* inseri[a-z]* scriv[a-z]*"
    r" vul|voer typ|typt|tik|tikt gebruik gib|geben?|nimm|verwende[nt]? wpis[a-z]* użyj podaj"
    r" введи[а-я]* используй[а-я]* ввод[а-яі]* використовуй[а-я]*"
)
#: What stands beside such a verb.
ADVERBS: Final = (
    r"now still currently literally simply actually again always jetzt nun noch wieder immer"
    r" ahora siempre maintenant toujours ora ancora sempre agora ainda nu nog steeds teraz"
    r" nadal zawsze nå teď nyt теперь сейчас зараз тепер по-прежнему он вот такой такий artık"
    r" hâlâ"
)
#: What stands between a word and the password right behind it: "пароль, новый X".
FILLERS: Final = (
    r"just simply new einfach nur neu(?:es)? nuevo nueva nouveau gewoon nieuw po\sprostu nowe"
    r" новый новий просто nuova nova sadece yeni 그냥"
)
#: What stands before the password that another one was changed to.
CHANGED_TO: Final = (
    r"to auf en a à ad in su sur op para pra por naar na на til till ile sondern sino mas"
    r" ma maar ale а remplacée?\spar replaced\s(?:by|with) ersetzt\sdurch vervangen\sdoor"
)
#: What stands before what a password is for: "for the door".
PURPOSES: Final = (
    r"van voor for of on at to para del? da do di per pour du dla für im am vom zum zur от"
    r" для на від до od alla della dello dell к"
)
#: What stands before the user of somebody who enters.
AS_USER: Final = r"as in als con com comme como avec met mit się jako en\stant\sque"
#: What stands between the user and the password of somebody who enters.
WITH: Final = r"with and using mit und con com y e ed avec et met en z i"
#: What stands between a password and the word for it: "X como contraseña".
AS_LOGIN_WORD: Final = r"como as als comme come jako olarak som как як 作为 做 当 로 으로 de di"
#: The same with a verb, which leaves no doubt: "X is the password".
IS_LOGIN_WORD: Final = r"that['’]?s is was es era est était è é jest to ist war это це"
#: The same behind a dash or a bracket.
DASHED_LOGIN_WORD: Final = r"это це to that['’]?s is das\sist c['’]est es è é"
