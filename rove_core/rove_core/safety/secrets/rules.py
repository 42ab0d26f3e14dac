"""What vendors' secrets look like, one line each: a rule is data, the engine knows none of them."""

from collections.abc import Callable
from typing import Final, TypeAlias

from attrs import field, frozen

from rove_core.safety.secrets.checks import is_github, is_random, is_url_password

Check: TypeAlias = Callable[[str], bool]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@frozen
class Rule:
    """How one kind of secret is recognised.

    Attributes:
        kind: What it is called where it stood.
        signs: Texts of which one is in every such secret; only where one is, anything is compared.
        pattern: The secret from its first character on; where it has a group, that is the secret.
        check: What the secret must pass too, so that no example or word is taken for one.
        inside: A sign may stand anywhere in the secret, not only at its beginning.
    """

    kind: str
    signs: tuple[str, ...] = field(converter=_words)
    pattern: str
    check: Check = is_random
    inside: bool = field(default=False, kw_only=True)


_UUID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

#: Secrets with a form of their own, by whose they are.
RULES: Final = (
    # Clouds
    Rule("aws_access_key", "AKIA ASIA ABIA ACCA", r"A[KSBC][IC]A[A-Z2-7]{16}"),
    Rule("aws_session_token", "IQoJb3JpZ2lu FwoGZXIvYXdz", r"(?:IQoJ|FwoG)[\w+/-]{100,}={0,2}"),
    Rule(
        "aws_bedrock_key", "ABSK bedrock-api-key-", r"(?:ABSK|bedrock-api-key-)[\w+/-]{70,}={0,2}"
    ),
    Rule("aws_mws_token", "amzn.mws.", rf"amzn\.mws\.{_UUID}"),
    Rule("gcp_api_key", "AIza", r"AIza[\w-]{35}"),
    Rule("gcp_access_token", "ya29.", r"ya29\.[\w-]{20,}(?:\.[\w-]+)*"),
    Rule("gcp_refresh_token", "1//0", r"1//0[\w-]{40,}"),
    Rule("gcp_client_secret", "GOCSPX-", r"GOCSPX-[\w-]{28}"),
    Rule("azure_storage_key", "AccountKey=", r"AccountKey=([A-Za-z0-9+/]{86}==)"),
    Rule(
        "azure_storage_key", "+ASt", r"[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{5}[AQgw]==", inside=True
    ),
    Rule("azure_shared_access_key", "SharedAccessKey=", r"SharedAccessKey=([A-Za-z0-9+/]{43}=)"),
    Rule("azure_client_secret", "Q~", r"[\w~.-]{3}\dQ~[\w~.-]{31,34}", inside=True),
    Rule("azure_devops_pat", "AZDO", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", inside=True),
    Rule("azure_openai_key", "JQQJ99", r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}", inside=True),
    Rule("azure_function_key", "AzFu", r"[\w-]{44}AzFu[\w-]{5}[AQgw]==", inside=True),
    Rule("azure_sas", "sig=", r"sig=([\w+/%-]{43,}(?:=|%3[Dd])?)"),
    Rule("alibaba_key", "LTAI", r"LTAI[A-Za-z0-9]{16,20}"),
    Rule("tencent_key", "AKID", r"AKID[A-Za-z0-9]{32}"),
    Rule("yandex_key", "AQVN", r"AQVN[\w-]{35,38}"),
    Rule("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    Rule("heroku_key", "HRKU-", r"HRKU-[\w-]{36,}"),
    Rule("vercel_token", "vcp_ vci_ vca_ vcr_ vck_", r"vc[piark]_[A-Za-z0-9]{24,}"),
    Rule("vercel_blob_token", "vercel_blob_rw_", r"vercel_blob_rw_[A-Za-z0-9]+_[A-Za-z0-9]{24,}"),
    Rule("netlify_token", "nfp_ nfo_ nfc_ nfu_", r"nf[pocu]_[A-Za-z0-9]{36,}"),
    Rule("cloudflare_token", "cfut_ cfat_ cfk_", r"cf(?:ut|at|k)_[\w-]{40,}"),
    Rule("cloudflare_origin_key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    Rule(
        "fly_token", "fo1_ fm1a_ fm1r_ fm2_", r"(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[\w+/-]{100,}={0,3})"
    ),
    Rule("render_key", "rnd_", r"rnd_[A-Za-z0-9]{32}"),
    Rule("scalingo_token", "tk-us-", r"tk-us-[\w-]{48}"),
    Rule("tigris_secret", "tsec_", r"tsec_[\w+/-]{40,}"),
    Rule("openshift_token", "sha256~", r"sha256~[\w-]{43}"),
    # Networks
    Rule("tailscale_key", "tskey-", r"tskey-[a-z]+-[A-Za-z0-9]{8,}-[A-Za-z0-9]{20,}"),
    Rule("netbird_token", "nbp_", r"nbp_[A-Za-z0-9]{36}"),
    Rule("nebula_key", "dnkey-", r"dnkey-[\w=-]{26}-[\w=-]{52}"),
    # Code, packages and their pipelines
    Rule("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[opusr]_[A-Za-z0-9]{36}", is_github),
    Rule("github_token", "ghs_ ghu_", r"gh[su]_[\w.-]{60,}[A-Za-z0-9]"),
    Rule("github_pat", "github_pat_", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    Rule(
        "gitlab_token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas- glffct- glwt-",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct|wt)-[\w-]{20,}(?:\.[0-9a-z.]{2,})?",
    ),
    Rule("gitlab_runner_token", "GR1348941", r"GR1348941[\w-]{20,}"),
    Rule("launchdarkly_key", "sdk- api-", rf"(?:sdk|api)-{_UUID}"),
    Rule("harness_token", "pat. sat.", r"[ps]at\.[\w-]{22}\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{20}"),
    Rule("octopus_key", "API-", r"API-[A-Z0-9]{26,}"),
    Rule("trigger_key", "tr_", r"tr_(?:dev|prod|stg|preview|pat)_[A-Za-z0-9]{20,}"),
    Rule("inngest_key", "signkey-", r"signkey-[a-z]+-[a-f0-9]{32,64}"),
    Rule("socket_token", "sktsec_", r"sktsec_[\w-]{40,}"),
    Rule("bitbucket_password", "ATBB", r"ATBB[A-Za-z0-9]{24,}[A-F0-9]{8}"),
    Rule("atlassian_token", "ATATT3 ATCTT3 ATSTT3", r"AT[ACS]TT3[\w=-]{60,}"),
    Rule("npm_token", "npm_", r"npm_[A-Za-z0-9]{36}", is_github),
    Rule(
        "npmrc_password",
        ":_authToken= :_password=",
        r":_(?:authToken|password)=\s*([^\s$]{8,})",
        is_url_password,
    ),
    Rule("pypi_token", "pypi-AgE", r"pypi-AgE[\w-]{50,}"),
    Rule("rubygems_key", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    Rule("nuget_key", "oy2", r"oy2[a-z0-9]{43}"),
    Rule("crates_token", "cio", r"cio[A-Za-z0-9]{32}"),
    Rule("clojars_token", "CLOJARS_", r"CLOJARS_[a-z0-9]{60}"),
    Rule("docker_token", "dckr_", r"dckr_[po]at_[\w-]{27,}"),
    Rule("jfrog_key", "AKCp cmVmd", r"(?:AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{59})"),
    Rule("buildkite_token", "bkua_", r"bkua_[a-f0-9]{40}"),
    Rule("circleci_token", "CCIPAT_ CCIPRJ_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    Rule("sonar_token", "squ_ sqp_ sqa_", r"sq[upa]_[a-f0-9]{40}"),
    Rule("sourcegraph_token", "sgp_", r"sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40}"),
    Rule("pulumi_token", "pul-", r"pul-[a-f0-9]{40}"),
    Rule("terraform_token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}", inside=True),
    Rule("vault_token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,}"),
    Rule(
        "doppler_token", "dp.", r"dp\.(?:pt|ct|sa|st|scim|audit)(?:\.[\w-]+)?\.[A-Za-z0-9]{40,44}"
    ),
    Rule("infracost_key", "ico-", r"ico-[A-Za-z0-9]{32}"),
    Rule("onepassword_token", "ops_ey", r"ops_ey[\w-]{200,}={0,3}"),
    Rule(
        "onepassword_key",
        "A3-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    # Talk, tickets and documents
    Rule("slack_token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo-", r"xox[bparso]-(?:\d-)?[\w-]{20,}"),
    Rule("slack_token", "xoxe- xoxe.", r"xoxe(?:\.xox[bp])?-\d-[\w-]{60,}"),
    Rule("slack_session", "xoxc- xoxd-", r"xox[cd]-[\w%+/=-]{30,}"),
    Rule("slack_app_token", "xapp-", r"xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}"),
    Rule(
        "slack_webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/]{30,})",
    ),
    Rule("linear_key", "lin_api_ lin_oauth_ lin_wh_", r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}"),
    Rule("asana_token", "/11 /12", r"\d/\d{16}(?:/\d{16})?:[0-9a-f]{32}", inside=True),
    Rule("notion_token", "ntn_ secret_", r"(?:ntn_\d{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43})"),
    Rule("airtable_token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    Rule("figma_token", "figd_ figo_ figu_ figoh_", r"fig(?:d|o|u|oh)_[\w-]{40,}"),
    Rule("postman_key", "PMAK- PMAT-", r"(?:PMAK-[a-f0-9]{24}-[a-f0-9]{34}|PMAT-[A-Za-z0-9]{26})"),
    Rule("trello_token", "ATTA", r"ATTA[a-f0-9]{64,72}[A-F0-9]{0,8}"),
    Rule("clickup_token", "pk_", r"pk_\d{7,9}_[A-Z0-9]{32}"),
    Rule("hubspot_token", "pat-", rf"pat-(?:na|eu)\d-{_UUID}"),
    Rule("intercom_token", "dG9rO", r"dG9rO[\w+/]{40,}={0,2}"),
    Rule("telegram_token", ":AA", r"\d{8,10}:AA[\w-]{33}", inside=True),
    Rule(
        "discord_token",
        "Mz Mj MT Nj Nz OD OT ND NT",
        r"[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,38}",
    ),
    Rule(
        "discord_webhook",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/(\d{17,20}/[\w-]{60,})",
        inside=True,
    ),
    Rule(
        "teams_webhook",
        "webhook.office.com/",
        r"webhook\.office\.com/(webhookb2/[\w@/-]{80,})",
        inside=True,
    ),
    Rule("contentful_token", "CFPAT-", r"CFPAT-[\w-]{43}"),
    Rule("typeform_token", "tfp_", r"tfp_[\w.-]{40,}"),
    Rule("readme_key", "rdme_", r"rdme_[a-z0-9]{70}"),
    # Models
    Rule("openai_key", "T3BlbkFJ", r"sk-(?:[a-z]+-)?[\w-]{18,}T3BlbkFJ[\w-]{18,}", inside=True),
    Rule("openai_key", "sk-", r"sk-(?:(?:proj|svcacct|admin|None)-[\w-]{40,}|[A-Za-z0-9]{48})"),
    Rule("anthropic_key", "sk-", r"sk-ant-[a-z]{3,5}\d\d-[\w-]{60,}"),
    Rule("openrouter_key", "sk-", r"sk-or-v1-[a-f0-9]{64}"),
    Rule("langfuse_key", "sk-", rf"sk-lf-{_UUID}"),
    Rule("deepseek_key", "sk-", r"sk-[a-f0-9]{32}"),
    Rule("huggingface_token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{34}"),
    Rule("groq_key", "gsk_", r"gsk_[A-Za-z0-9]{52}"),
    Rule("xai_key", "xai-", r"xai-[A-Za-z0-9]{80}"),
    Rule("perplexity_key", "pplx-", r"pplx-[A-Za-z0-9]{48}"),
    Rule("replicate_token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    Rule("nvidia_key", "nvapi-", r"nvapi-[\w-]{60,}"),
    Rule("langsmith_key", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    Rule("pinecone_key", "pcsk_", r"pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{63}"),
    Rule("tavily_key", "tvly-", r"tvly-(?:dev-|prod-)?[\w-]{32,}"),
    Rule("elevenlabs_key", "sk_", r"sk_[a-f0-9]{48}"),
    Rule("fireworks_key", "fw_", r"fw_[A-Za-z0-9]{22,}"),
    Rule("cerebras_key", "csk-", r"csk-[a-z0-9]{48}"),
    Rule("e2b_key", "e2b_ sk_e2b_", r"(?:sk_)?e2b_[a-f0-9]{40}"),
    Rule("firecrawl_key", "fc-", r"fc-[a-f0-9]{32}"),
    Rule("together_key", "tgp_v1_", r"tgp_v1_[\w-]{40,}"),
    Rule("voyage_key", "pa-", r"pa-[\w-]{43}"),
    Rule("jina_key", "jina_", r"jina_[\w-]{60}"),
    Rule("runpod_key", "rpa_", r"rpa_[A-Z0-9]{40}[A-Za-z0-9]*"),
    Rule("modal_secret", "as-", r"as-[A-Za-z0-9]{22}"),
    Rule("brave_key", "BSA", r"BSA[\w-]{28}"),
    Rule("gemini_key", "AQ.Ab", r"AQ\.Ab[\w-]{40,}"),
    Rule("wandb_key", "wandb_v1_", r"wandb_v1_[\w-]{60,}"),
    Rule("cursor_key", "key_ crsr_", r"(?:key|crsr)_[a-f0-9]{64}"),
    # Money, mail, shops
    Rule("stripe_key", "sk_ rk_", r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    Rule("stripe_webhook_secret", "whsec_", r"whsec_[A-Za-z0-9+/]{32,}={0,2}"),
    Rule("square_token", "sq0atp- sq0csp- EAAA", r"(?:sq0(?:atp|csp)-[\w-]{22,43}|EAAA[\w-]{60})"),
    Rule(
        "braintree_token",
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    Rule(
        "shopify_token",
        "shpat_ shpca_ shppa_ shpss_ shptka_",
        r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}",
    ),
    Rule("plaid_token", "access-sandbox- access-prod", rf"access-(?:sandbox|production)-{_UUID}"),
    Rule("twilio_key", "SK", r"SK[0-9a-f]{32}"),
    Rule("sendgrid_key", "SG.", r"SG\.[\w-]{22}\.[\w-]{43}"),
    Rule("mailgun_key", "key-", r"key-[a-f0-9]{32}"),
    Rule("mailchimp_key", "-us", r"[a-f0-9]{32}-us\d{1,2}", inside=True),
    Rule("brevo_key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    Rule("resend_key", "re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
    Rule(
        "paddle_key",
        "pdl_",
        r"pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}",
    ),
    Rule("polar_token", "polar_", r"polar_[a-z]{2,4}_(?:[a-z]_)?[A-Za-z0-9]{32,}"),
    Rule("flutterwave_key", "FLWSECK", r"FLWSECK(?:_TEST)?-[a-f0-9]{12,}(?:-X)?"),
    Rule("easypost_key", "EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{54}"),
    Rule("shippo_token", "shippo_", r"shippo_(?:live|test)_[a-f0-9]{40}"),
    Rule("duffel_token", "duffel_", r"duffel_(?:test|live)_[\w=-]{43}"),
    Rule("facebook_token", "EAA", r"EAA[A-Za-z0-9]{100,}(?![+/=])"),
    Rule("dropbox_token", "sl.", r"sl\.(?:u\.)?[\w-]{130,}"),
    # Watching and data
    Rule(
        "newrelic_key",
        "NRAK- NRII- NRRA- NRJS-",
        r"NR(?:AK-[A-Z0-9]{27}|II-[\w-]{32}|RA-[a-f0-9]{42}|JS-[a-f0-9]{19})",
    ),
    Rule("newrelic_license", "NRAL", r"[a-f0-9]{36}(?:FFFF)?NRAL", inside=True),
    Rule("sentry_token", "sntrys_ sntryu_", r"sntry(?:s_eyJ[\w+/=]{60,}|u_[a-f0-9]{64})"),
    Rule(
        "grafana_token",
        "glsa_ glc_",
        r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,}={0,2})",
    ),
    Rule("dynatrace_token", "dt0", r"dt0[a-z]\d\d\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}"),
    Rule("databricks_token", "dapi dose dkea", r"d(?:api|ose|kea)[a-f0-9]{32}(?:-\d)?"),
    Rule("posthog_key", "phx_ phs_", r"ph[xs]_[A-Za-z0-9]{40,}"),
    Rule("honeycomb_key", "hcaik_ hcxik_ hcalk_ hcxlk_", r"hc[ax][il]k_[a-z0-9]{58}"),
    Rule("logfire_token", "pylf_v", r"pylf_v\d_[a-z]{2,8}_[A-Za-z0-9]{40,}"),
    Rule("axiom_token", "xaat- xapt-", rf"xa(?:at|pt)-{_UUID}"),
    Rule("neon_key", "napi_", r"napi_[a-z0-9]{64}"),
    Rule("dbt_token", "dbtc_ dbtu_", r"dbt[cu]_[\w=-]{36,}"),
    Rule("planetscale_password", "pscale_", r"pscale_(?:tkn|oauth|pw)_[\w=.-]{32,}"),
    Rule("supabase_key", "sbp_ sb_secret_", r"(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{31})"),
    Rule("neon_password", "npg_", r"npg_[A-Za-z0-9]{12,}"),
    Rule("prefect_key", "pnu_", r"pnu_[A-Za-z0-9]{36}"),
    Rule("mapbox_token", "sk.eyJ", r"sk\.eyJ[\w-]{40,}\.[\w-]{20,}"),
    Rule("adafruit_key", "aio_", r"aio_[A-Za-z0-9]{28}"),
    # Forms that everybody uses
    Rule(
        "jwt",
        "eyJ",
        r"eyJ[\w-]{10,}\.(?:eyJ[\w-]{8,}\.[\w-]{16,}|[\w-]*\.[\w-]{16,}\.[\w-]{16,}\.[\w-]{16,})",
    ),
    Rule("secret_token", "secret-token:", r"secret-token:([\w.~%-]{16,})"),
    Rule("age_key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{58,}"),
)
