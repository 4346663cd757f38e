"""libRHVoice through ctypes, in the worker process only: 40 ms a line where the program needs 300.

Declares the C interface of RHVoice 1.2 and later (RHVoice.h; shared object version 5).
"""

from __future__ import annotations

import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_short, c_uint, c_void_p
from typing import Any

from voicehost.tts.voice import Sound

_SetRate = CFUNCTYPE(c_int, c_int, c_void_p)
_PlaySpeech = CFUNCTYPE(c_int, POINTER(c_short), c_uint, c_void_p)
LIBRARY = "VOICEHOST_RHVOICE_LIBRARY"
DATA = "VOICEHOST_RHVOICE_DATA"
CONFIG = "VOICEHOST_RHVOICE_CONFIG"


class _Callbacks(Structure):
    _fields_ = (
        ("set_sample_rate", _SetRate),
        ("play_speech", _PlaySpeech),
        ("process_mark", c_void_p),
        ("word_starts", c_void_p),
        ("word_ends", c_void_p),
        ("sentence_starts", c_void_p),
        ("sentence_ends", c_void_p),
        ("play_audio", c_void_p),
        ("done", c_void_p),
    )


class _InitParams(Structure):
    _fields_ = (
        ("data_path", c_char_p),
        ("config_path", c_char_p),
        ("resource_paths", POINTER(c_char_p)),
        ("callbacks", _Callbacks),
        ("options", c_uint),
    )


class _VoiceInfo(Structure):
    _fields_ = (("language", c_char_p), ("name", c_char_p), ("gender", c_int), ("country", c_char_p))


class _SynthParams(Structure):
    _fields_ = (
        ("voice_profile", c_char_p),
        ("absolute_rate", c_double),
        ("absolute_pitch", c_double),
        ("absolute_volume", c_double),
        ("relative_rate", c_double),
        ("relative_pitch", c_double),
        ("relative_volume", c_double),
        ("punctuation_mode", c_int),
        ("punctuation_list", c_char_p),
        ("capitals_mode", c_int),
        ("flags", c_int),
    )


class LibraryRenderer:
    """One RHVoice engine; the paths come from the environment, where the parent put them. Raises OSError."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(os.environ[LIBRARY])
        self._pcm = bytearray()
        self._rate = 24000
        self._declare()
        callbacks = _Callbacks(
            set_sample_rate=_SetRate(self._set_rate),
            play_speech=_PlaySpeech(self._collect),
        )
        # Kept, because the library goes on using these structures.
        self._params = _InitParams(
            data_path=os.environ[DATA].encode(),
            config_path=os.environ[CONFIG].encode(),
            resource_paths=(c_char_p * 1)(None),
            callbacks=callbacks,
        )
        self._engine = self._library.RHVoice_new_tts_engine(ctypes.byref(self._params))
        if not self._engine:
            raise OSError("RHVoice did not start")

    def voices(self) -> list[dict[str, Any]]:
        """Each voice as id, name and languages."""
        listed = self._library.RHVoice_get_voices(self._engine)
        count = self._library.RHVoice_get_number_of_voices(self._engine)
        return [
            {
                "id": listed[place].name.decode("utf-8"),
                "name": listed[place].name.decode("utf-8"),
                "languages": [(listed[place].language or b"").decode("utf-8")],
            }
            for place in range(count)
        ]

    def render(self, voice: str, text: str) -> Sound:
        """Render one line. Raises LookupError for an unknown voice and RuntimeError when the library says no."""
        # An unknown profile would be answered by another voice.
        if voice.casefold() not in {v["id"].casefold() for v in self.voices()}:
            raise LookupError(f"no voice {voice!r}")
        self._pcm.clear()
        data = text.encode("utf-8")
        params = _SynthParams(
            voice_profile=voice.encode("utf-8"), relative_rate=1.0, relative_pitch=1.0, relative_volume=1.0
        )
        message = self._library.RHVoice_new_message(self._engine, data, len(data), 0, ctypes.byref(params), None)
        if not message:
            raise RuntimeError("the text was not taken")
        try:
            if not self._library.RHVoice_speak(message):
                raise RuntimeError("the text was not spoken")
        finally:
            self._library.RHVoice_delete_message(message)
        return Sound(bytes(self._pcm), self._rate)

    def _set_rate(self, rate: int, user_data: object) -> int:
        self._rate = rate
        return 1

    def _collect(self, samples: Any, count: int, user_data: object) -> int:
        self._pcm += ctypes.string_at(samples, count * 2)
        return 1

    def _declare(self) -> None:
        library = self._library
        library.RHVoice_new_tts_engine.argtypes = (POINTER(_InitParams),)
        library.RHVoice_new_tts_engine.restype = c_void_p
        library.RHVoice_get_number_of_voices.argtypes = (c_void_p,)
        library.RHVoice_get_number_of_voices.restype = c_uint
        library.RHVoice_get_voices.argtypes = (c_void_p,)
        library.RHVoice_get_voices.restype = POINTER(_VoiceInfo)
        library.RHVoice_new_message.argtypes = (c_void_p, c_char_p, c_uint, c_int, POINTER(_SynthParams), c_void_p)
        library.RHVoice_new_message.restype = c_void_p
        library.RHVoice_delete_message.argtypes = (c_void_p,)
        library.RHVoice_delete_message.restype = None
        library.RHVoice_speak.argtypes = (c_void_p,)
        library.RHVoice_speak.restype = c_int
