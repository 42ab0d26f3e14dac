"""The public API for plugins and programs; names load on first use."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    __all__: list[str]

    from rove_core._item_words import Relation as Relation
    from rove_core._item_words import Role as Role
    from rove_core._item_words import StatusCategory as StatusCategory
    from rove_core._markers import hookimpl as hookimpl
    from rove_core.auth.credentials import CredentialStore as CredentialStore
    from rove_core.auth.credentials import MemoryStore as MemoryStore
    from rove_core.auth.prepared_login import PreparedLogin as PreparedLogin
    from rove_core.build.model.answers import read_answer as read_answer
    from rove_core.build.model.budget import NoAnswer as NoAnswer
    from rove_core.build.model.client import EngineKind as EngineKind
    from rove_core.build.model.client import ModelClient as ModelClient
    from rove_core.build.model.client import ModelUse as ModelUse
    from rove_core.build.model.client import VectorClient as VectorClient
    from rove_core.build.model.endpoint import Endpoint as Endpoint
    from rove_core.build.model.endpoint import endpoint_of as endpoint_of
    from rove_core.build.model.prompts import Message as Message
    from rove_core.build.model.prompts import Prompt as Prompt
    from rove_core.build.model.prompts import PromptImage as PromptImage
    from rove_core.build.model.prompts import excerpt as excerpt
    from rove_core.build.model.prompts import sealed as sealed
    from rove_core.build.model.record import ModelRecord as ModelRecord
    from rove_core.build.model.token_estimate import estimated_tokens as estimated_tokens
    from rove_core.build.requests import BuildResult as BuildResult
    from rove_core.clock import Clock as Clock
    from rove_core.documents import Document as Document
    from rove_core.errors import AlreadyRunning as AlreadyRunning
    from rove_core.errors import Conflict as Conflict
    from rove_core.errors import ConsentNeeded as ConsentNeeded
    from rove_core.errors import CredentialsCorrupt as CredentialsCorrupt
    from rove_core.errors import DiskTrouble as DiskTrouble
    from rove_core.errors import DocumentNotFound as DocumentNotFound
    from rove_core.errors import FixSettings as FixSettings
    from rove_core.errors import FolderNotLinked as FolderNotLinked
    from rove_core.errors import InternalError as InternalError
    from rove_core.errors import ItemNotFound as ItemNotFound
    from rove_core.errors import KeychainUnusable as KeychainUnusable
    from rove_core.errors import Locked as Locked
    from rove_core.errors import LoginNeeded as LoginNeeded
    from rove_core.errors import LoginRefused as LoginRefused
    from rove_core.errors import MalformedReply as MalformedReply
    from rove_core.errors import NoCodeFound as NoCodeFound
    from rove_core.errors import NotFound as NotFound
    from rove_core.errors import NotLoggedIn as NotLoggedIn
    from rove_core.errors import PluginFailed as PluginFailed
    from rove_core.errors import QuotaExceeded as QuotaExceeded
    from rove_core.errors import RateLimited as RateLimited
    from rove_core.errors import ReportBug as ReportBug
    from rove_core.errors import RepositoryNotFound as RepositoryNotFound
    from rove_core.errors import RepositoryRefused as RepositoryRefused
    from rove_core.errors import RepositoryUnusable as RepositoryUnusable
    from rove_core.errors import RetryLater as RetryLater
    from rove_core.errors import RevisionNotFound as RevisionNotFound
    from rove_core.errors import RoveError as RoveError
    from rove_core.errors import ScopeMissing as ScopeMissing
    from rove_core.errors import ServerTrouble as ServerTrouble
    from rove_core.errors import StoreUnusable as StoreUnusable
    from rove_core.errors import TimedOut as TimedOut
    from rove_core.errors import Unavailable as Unavailable
    from rove_core.errors import UnknownAccount as UnknownAccount
    from rove_core.errors import UnsafePlace as UnsafePlace
    from rove_core.errors import WrongCall as WrongCall
    from rove_core.errors import WrongSetting as WrongSetting
    from rove_core.events import Event as Event
    from rove_core.facts import Facts as Facts
    from rove_core.facts import ItemStatus as ItemStatus
    from rove_core.facts import NamedValue as NamedValue
    from rove_core.hookspecs import SourceHooks as SourceHooks
    from rove_core.hookspecs import WorkItemHooks as WorkItemHooks
    from rove_core.http import Caps as Caps
    from rove_core.http import Fault as Fault
    from rove_core.http import Http as Http
    from rove_core.http import Reply as Reply
    from rove_core.http import status_fault as status_fault
    from rove_core.http.server.door import HttpRequest as HttpRequest
    from rove_core.http.server.door import HttpResponse as HttpResponse
    from rove_core.http.server.door import Route as Route
    from rove_core.items import Account as Account
    from rove_core.items import ContextItem as ContextItem
    from rove_core.items import Identity as Identity
    from rove_core.items import ItemRef as ItemRef
    from rove_core.items import Link as Link
    from rove_core.items import Query as Query
    from rove_core.items import SearchableField as SearchableField
    from rove_core.items import Section as Section
    from rove_core.listing import Container as Container
    from rove_core.listing import KnownIds as KnownIds
    from rove_core.listing import ListedChange as ListedChange
    from rove_core.listing import ListingStep as ListingStep
    from rove_core.listing import ListScope as ListScope
    from rove_core.listing import UpdateCursor as UpdateCursor
    from rove_core.listing import check_readable as check_readable
    from rove_core.listing import merge_listings as merge_listings
    from rove_core.listing import read_cursor as read_cursor
    from rove_core.listing import readable_names as readable_names
    from rove_core.login import Credential as Credential
    from rove_core.login import Login as Login
    from rove_core.login import LoginField as LoginField
    from rove_core.login import LoginRedirect as LoginRedirect
    from rove_core.login import LoginWay as LoginWay
    from rove_core.login import authorization as authorization
    from rove_core.markup.adf import adf_to_markdown as adf_to_markdown
    from rove_core.markup.adf import markdown_to_adf as markdown_to_adf
    from rove_core.markup.file import file_to_markdown as file_to_markdown
    from rove_core.markup.hidden_mark import find_hidden_mark as find_hidden_mark
    from rove_core.markup.hidden_mark import hidden_mark as hidden_mark
    from rove_core.markup.hidden_mark import without_hidden_marks as without_hidden_marks
    from rove_core.markup.html import html_to_markdown as html_to_markdown
    from rove_core.markup.markdown_reader import markdown_to_html as markdown_to_html
    from rove_core.markup.wiki import markdown_to_wiki as markdown_to_wiki
    from rove_core.markup.wiki import wiki_to_markdown as wiki_to_markdown
    from rove_core.operations import PARTIAL as PARTIAL
    from rove_core.operations import Failure as Failure
    from rove_core.operations import Operation as Operation
    from rove_core.operations import Outcome as Outcome
    from rove_core.plugins.database_files import DatabaseFiles as DatabaseFiles
    from rove_core.plugins.text_extractor import TextExtractor as TextExtractor
    from rove_core.plugins.ticket_ids import ticket_ids as ticket_ids
    from rove_core.plugins.trackers import Trackers as Trackers
    from rove_core.project.checkouts import branch_of as branch_of
    from rove_core.project.checkouts import checkout_of as checkout_of
    from rove_core.project.checkouts import commit_of as commit_of
    from rove_core.project.explain import Explanation as Explanation
    from rove_core.project.identity import project_id as project_id
    from rove_core.project.identity import project_remotes as project_remotes
    from rove_core.project.layout import ProjectPaths as ProjectPaths
    from rove_core.project.local import LocalProject as LocalProject
    from rove_core.project.opener import open_project as open_project
    from rove_core.project.opener import run as run
    from rove_core.project.opener import run_in_project as run_in_project
    from rove_core.project.operation_client import OfferedOperation as OfferedOperation
    from rove_core.project.operation_client import OperationClient as OperationClient
    from rove_core.project.paths import git_folder as git_folder
    from rove_core.project.paths import git_obstacle as git_obstacle
    from rove_core.project.paths import own_git_folder as own_git_folder
    from rove_core.project.paths import project_root as project_root
    from rove_core.project.project import Project as Project
    from rove_core.project.search import SearchResults as SearchResults
    from rove_core.project.settings import Settings as Settings
    from rove_core.project.settings.plugin_section import SAFE as SAFE
    from rove_core.project.settings.plugin_section import SettingsSection as SettingsSection
    from rove_core.project.status import Status as Status
    from rove_core.safety.active import harmless_output as harmless_output
    from rove_core.safety.digests import sha256_hex as sha256_hex
    from rove_core.safety.secret import Secret as Secret
    from rove_core.safety.secrets import SecretFound as SecretFound
    from rove_core.safety.secrets import find_secrets as find_secrets
    from rove_core.safety.secrets import redact_secrets as redact_secrets
    from rove_core.safety.text import clean as clean
    from rove_core.safety.text import code_block as code_block
    from rove_core.safety.text import escape_markdown as escape_markdown
    from rove_core.safety.text import one_line as one_line
    from rove_core.safety.text import quote as quote
    from rove_core.sources import CommonSettings as CommonSettings
    from rove_core.sources import SourceKind as SourceKind
    from rove_core.store.document_search import DocumentExcerpt as DocumentExcerpt
    from rove_core.store.document_search import DocumentHit as DocumentHit
    from rove_core.store.document_search import excerpt_of as excerpt_of
    from rove_core.store.document_search import search_documents as search_documents
    from rove_core.store.documents import DocumentRecord as DocumentRecord
    from rove_core.store.documents import find_documents as find_documents
    from rove_core.store.files import FileLock as FileLock
    from rove_core.store.files import private_folder as private_folder
    from rove_core.store.files import read_file as read_file
    from rove_core.store.files import write_atomic as write_atomic
    from rove_core.store.lookup import last_written as last_written
    from rove_core.store.packages import PackageDatabase as PackageDatabase
    from rove_core.store.packages import state_folder as state_folder
    from rove_core.terminal.screen import styled as styled
    from rove_core.terminal.tables import columns as columns
    from rove_core.terminal.tables import counted as counted
    from rove_core.terminal.tables import page as page
    from rove_core.terminal.tables import styled_line as styled_line
    from rove_core.terminal.tables import visible as visible
    from rove_core.terminal.tables import wrapped as wrapped
    from rove_core.time_windows import Window as Window
    from rove_core.wire.json_text import json_text as json_text
    from rove_core.wire.json_types import JSON as JSON
    from rove_core.work import Assignee as Assignee
    from rove_core.work import Iteration as Iteration
    from rove_core.work import NewAttachment as NewAttachment
    from rove_core.work import NewComment as NewComment
    from rove_core.work import NewWorkItem as NewWorkItem
    from rove_core.work import StatusOption as StatusOption
    from rove_core.work import WorkField as WorkField
    from rove_core.work import WorkItem as WorkItem
    from rove_core.work import WorkItemChange as WorkItemChange
    from rove_core.work import WorkItemType as WorkItemType
else:
    from rove_core._lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "_markers": ("hookimpl",),
            "build.requests": ("BuildResult",),
            "clock": ("Clock",),
            "auth.credentials": ("CredentialStore", "MemoryStore"),
            "documents": ("Document",),
            "errors": (
                "AlreadyRunning",
                "Conflict",
                "ConsentNeeded",
                "CredentialsCorrupt",
                "DiskTrouble",
                "DocumentNotFound",
                "FixSettings",
                "FolderNotLinked",
                "InternalError",
                "ItemNotFound",
                "KeychainUnusable",
                "Locked",
                "LoginNeeded",
                "LoginRefused",
                "MalformedReply",
                "NotFound",
                "NotLoggedIn",
                "PluginFailed",
                "QuotaExceeded",
                "RateLimited",
                "ReportBug",
                "RetryLater",
                "RoveError",
                "ScopeMissing",
                "ServerTrouble",
                "StoreUnusable",
                "TimedOut",
                "Unavailable",
                "UnknownAccount",
                "UnsafePlace",
                "WrongCall",
                "WrongSetting",
                "NoCodeFound",
                "RepositoryNotFound",
                "RepositoryRefused",
                "RepositoryUnusable",
                "RevisionNotFound",
            ),
            "events": ("Event",),
            "_item_words": ("Relation", "Role", "StatusCategory"),
            "facts": ("Facts", "ItemStatus", "NamedValue"),
            "hookspecs": ("SourceHooks", "WorkItemHooks"),
            "http": ("Fault", "Http", "Reply", "status_fault", "Caps"),
            "http.server.door": ("HttpRequest", "HttpResponse", "Route"),
            "items": (
                "Account",
                "ContextItem",
                "Identity",
                "ItemRef",
                "Link",
                "Query",
                "SearchableField",
                "Section",
            ),
            "listing": (
                "Container",
                "KnownIds",
                "ListScope",
                "ListedChange",
                "ListingStep",
                "UpdateCursor",
                "check_readable",
                "merge_listings",
                "read_cursor",
                "readable_names",
            ),
            "plugins.trackers": ("Trackers",),
            "work": (
                "Assignee",
                "Iteration",
                "NewAttachment",
                "NewComment",
                "NewWorkItem",
                "StatusOption",
                "WorkField",
                "WorkItem",
                "WorkItemChange",
                "WorkItemType",
            ),
            "login": (
                "Credential",
                "Login",
                "LoginField",
                "LoginWay",
                "LoginRedirect",
                "authorization",
            ),
            "plugins.ticket_ids": ("ticket_ids",),
            "markup.adf": ("adf_to_markdown", "markdown_to_adf"),
            "markup.hidden_mark": ("find_hidden_mark", "hidden_mark", "without_hidden_marks"),
            "markup.file": ("file_to_markdown",),
            "markup.html": ("html_to_markdown",),
            "markup.markdown_reader": ("markdown_to_html",),
            "markup.wiki": ("markdown_to_wiki", "wiki_to_markdown"),
            "project.operation_client": ("OfferedOperation", "OperationClient"),
            "operations": ("PARTIAL", "Failure", "Operation", "Outcome"),
            "terminal.screen": ("styled",),
            "terminal.tables": ("columns", "counted", "page", "styled_line", "visible", "wrapped"),
            "wire.json_text": ("json_text",),
            "wire.json_types": ("JSON",),
            "auth.prepared_login": ("PreparedLogin",),
            "project.explain": ("Explanation",),
            "project.opener": ("open_project", "run", "run_in_project"),
            "project.project": ("Project",),
            "project.search": ("SearchResults",),
            "project.status": ("Status",),
            "time_windows": ("Window",),
            "safety.active": ("harmless_output",),
            "safety.digests": ("sha256_hex",),
            "safety.secret": ("Secret",),
            "sources": ("CommonSettings", "SourceKind"),
            "safety.text": ("clean", "escape_markdown", "one_line", "quote", "code_block"),
            "plugins.database_files": ("DatabaseFiles",),
            "plugins.text_extractor": ("TextExtractor",),
            "project.layout": ("ProjectPaths",),
            "project.local": ("LocalProject",),
            "project.identity": ("project_id", "project_remotes"),
            "build.model.record": ("ModelRecord",),
            "project.settings.plugin_section": ("SAFE", "SettingsSection"),
            "build.model.client": ("EngineKind", "ModelClient", "ModelUse", "VectorClient"),
            "build.model.endpoint": ("Endpoint", "endpoint_of"),
            "build.model.prompts": (
                "Message",
                "Prompt",
                "PromptImage",
                "excerpt",
                "sealed",
            ),
            "build.model.token_estimate": ("estimated_tokens",),
            "build.model.answers": ("read_answer",),
            "build.model.budget": ("NoAnswer",),
            "safety.secrets": ("SecretFound", "find_secrets", "redact_secrets"),
            "project.checkouts": ("branch_of", "checkout_of", "commit_of"),
            "project.paths": ("git_folder", "git_obstacle", "own_git_folder", "project_root"),
            "store.files": ("FileLock", "private_folder", "read_file", "write_atomic"),
            "store.documents": ("DocumentRecord", "find_documents"),
            "store.lookup": ("last_written",),
            "store.document_search": (
                "DocumentExcerpt",
                "DocumentHit",
                "excerpt_of",
                "search_documents",
            ),
            "project.settings": ("Settings",),
            "store.packages": ("PackageDatabase", "state_folder"),
        },
    )
    __all__ = list(__dir__())
